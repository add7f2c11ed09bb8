import { needsCaller } from '../../controller/permissions.ts'
import { quoted } from '../../model/naming.ts'
import type { Resource } from '../parts/resource.ts'

/** A relation that `modelConfig` includes, and that callers do not get who may not list a model on its path. */
export interface WithheldInclude {
  /** `items.product` */
  readonly path: string
  readonly model: string
  /** Whether a function decides, so that it is not known which callers. Otherwise, anonymous callers do not get it. */
  readonly isDecided: boolean
}

/** The default includes of a model that some callers of its list do not get. */
export const withheldIncludes = (
  resource: Pick<Resource, 'access' | 'rules' | 'related'>,
): readonly WithheldInclude[] => {
  const { related } = resource
  const { permissions } = resource.access
  return resource.rules.parseDetail('').uses.flatMap(({ path, model }): readonly WithheldInclude[] => {
    const read = related(model)?.access.permissions.read
    if (typeof read === 'function') return [{ path, model, isDecided: true }]
    if (read !== 'authenticated' || needsCaller(resource.access, 'read')) return []
    return [{ path, model, isDecided: typeof permissions.read === 'function' }]
  })
}

/** Completes the description of a response. Empty if every caller gets everything. */
export const withheldSentence = (resource: Pick<Resource, 'access' | 'rules' | 'related'>): string => {
  const withheld = withheldIncludes(resource)
  if (withheld.length === 0) return ''
  const paths = quoted([...new Set(withheld.map(({ path }) => path))])
  const models = [...new Set(withheld.map(({ model }) => model))].join(', ')
  return ` Without \`include\`, it has ${paths} only for callers who may list ${models}.`
}
