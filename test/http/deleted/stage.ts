import type { Row } from '../../stage/databases.ts'
import { inTest, kindsOf, pairOf, type Service, type ServiceOptions, startsOf } from '../../stage/service.ts'
import { around, declared } from './tables.ts'

export { refusalOf } from '../../stage/service.ts'

/** Callers who say that they are administrators may see deleted records. */
export const admin = { 'x-role': 'admin' }

/** A running library. */
export interface Library extends Pick<Service, 'rows' | 'execute'> {
  readonly send: Service['ask']
  /** The values of a field of the items of a list. */
  listed(path: string, field?: string): Promise<readonly unknown[]>
  /** The same, of a list for administrators. */
  listedTo(
    headers: Readonly<Record<string, string>>,
    path: string,
    field?: string,
  ): Promise<readonly unknown[]>
}

export const softDelete = 'deleted_at'

/** Whether a request of either host comes from an administrator. */
export const isAdmin = (request: unknown): boolean => {
  const { headers } = request as { readonly headers: Headers | Readonly<Record<string, string>> }
  const role = headers instanceof Headers ? headers.get('x-role') : headers['x-role']
  return role === 'admin'
}

/** What controllers and models of the library have, below what a test gives them. */
const configured = ({ parts = {}, modelConfig, ...options }: ServiceOptions): ServiceOptions => {
  const config = (modelConfig ?? {}) as Readonly<Record<string, object>>
  const own = ['Shelf', 'Book', 'Tag'].map((name) => {
    const { permissions, ...members } = parts[name] ?? {}
    const all = Object.entries({ deleted: isAdmin, ...permissions }).filter(([, one]) => one !== undefined)
    return [name, { ...members, permissions: Object.fromEntries(all) }] as const
  })
  return {
    ...options,
    parts: { ...parts, ...Object.fromEntries(own) },
    modelConfig: {
      ...config,
      ...Object.fromEntries(own.map(([name]) => [name, { softDelete, ...config[name] }])),
    } as never,
  }
}

/** Starts a library, which ends with its test. */
export type Start = (options?: ServiceOptions) => Promise<Library>

const starts = startsOf(declared, around, configured)

const libraryOn =
  (name: keyof typeof starts): Start =>
  async (options) => {
    const { ask, rows, execute } = await inTest(starts[name](options))
    const listedTo: Library['listedTo'] = async (headers, path, field = 'title') => {
      const { status, json, text } = await ask('GET', path, undefined, headers)
      if (status !== 200) throw new Error(text)
      return (json['items'] as readonly Row[]).map((item) => item[field])
    }
    return { send: ask, listedTo, listed: (...given) => listedTo({}, ...given), rows, execute }
  }

export const onSqlite = libraryOn('sqlite')

const kinds = { oneTick: libraryOn('oneTick'), pglite: libraryOn('pglite'), mariadb: libraryOn('mariadb') }

export const bothLibraries = pairOf(kinds)
export const libraries = kindsOf(kinds)
