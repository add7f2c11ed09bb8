import { capital, joinedIn } from '../model/naming.ts'
import type { Operation, Parameter } from '../operation/operation.ts'
import type { ParameterObject, ParameterReference } from './openapi-document.ts'
import { freeName } from './schema-names.ts'

/** The parameters of a document. Those that several operations have are components, which keeps the document small. */
export interface SharedParameters {
  readonly components: Readonly<Record<string, ParameterObject>>
  readonly of: (parameter: Parameter) => ParameterObject | ParameterReference
}

export const sharedParameters = (operations: readonly Operation[]): SharedParameters => {
  const uses = Map.groupBy(
    operations.flatMap(({ model, parameters }) => parameters.map((parameter) => ({ model, parameter }))),
    ({ parameter }) => JSON.stringify(parameter),
  )
  const components = new Map<string, ParameterObject>()
  const references = new Map<Parameter, ParameterReference>()
  for (const same of uses.values()) {
    const [first, ...others] = same
    if (first === undefined || others.length === 0) continue
    const { model = '', parameter } = first
    const isOfOne = others.every((other) => other.model === first.model)
    const name = freeName(capital(joinedIn('camel', isOfOne ? model : '', parameter.name)), components)
    components.set(name, toParameterObject(parameter))
    for (const use of same) references.set(use.parameter, { $ref: `#/components/parameters/${name}` })
  }
  return {
    components: Object.fromEntries(components),
    of: (parameter) => references.get(parameter) ?? toParameterObject(parameter),
  }
}

const severalValues: ReadonlySet<unknown> = new Set(['array', 'object'])

/**
 * Repeating the name is OpenAPI's default for arrays, and a parameter for each member that for objects, but some client
 * generators need it stated explicitly.
 */
const toParameterObject = (parameter: Parameter): ParameterObject =>
  parameter.in === 'query' && severalValues.has(parameter.schema['type'])
    ? { ...parameter, style: 'form', explode: parameter.explode ?? true }
    : parameter
