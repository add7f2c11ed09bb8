import type { JsonSchema } from '../model/codec.ts'
import { isReadable, type Model, otherKey, type Relation } from '../model/model.ts'
import { plural, quoted } from '../model/naming.ts'
import type { HostRoute, Operation } from '../operation/operation.ts'
import type { NamedSchema } from '../schema/json-schema.ts'
import type { Vocabulary } from '../schema/vocabulary.ts'
import { shapeOf, withHostRoutes } from './host-routes.ts'
import type { OpenApiDocument, PathItem, SecuritySchemes, TagObject } from './openapi-document.ts'
import type { OpenApiOptions } from './options.ts'
import { sharedParameters } from './parameters.ts'
import { isShown, toPaths } from './paths.ts'
import { problemSchema, toProblemExamples, toProblemResponses } from './problem.ts'
import { namedSchemasOf, withUniqueNames } from './schema-names.ts'

/** The head of the document, the base URL of the operations (`/api`, or an empty string), and the security schemes. */
type DocumentHead = OpenApiOptions & {
  readonly base: string
  /** Security schemes by name, any of which authenticates a caller. Absent: authentication is off. */
  readonly schemes?: SecuritySchemes
  /** The served models. The tags describe them. */
  readonly models?: readonly Model[]
  readonly vocabulary?: Vocabulary
}

/** The OpenAPI 3.1 document of these operations and of the host's own routes. */
export const toOpenApi = (
  operations: readonly Operation[],
  head: DocumentHead,
  hostRoutes: readonly HostRoute[],
): OpenApiDocument => {
  const { base, servers, schemes, models = [], vocabulary, title = 'API', version = '1.0.0', ...rest } = head
  const { public: _public, logo: _logo, color: _color, codes: _codes, ...info } = rest
  const shown = withUniqueNames(operations.filter(isShown), problemSchema)
  const parameters = sharedParameters(shown)
  const answered = new Set(operations.map(({ method, path }) => `${method} ${shapeOf(path)}`))
  const paths = withHostRoutes(
    {
      base,
      paths: toPaths(shown, schemes, parameters),
      schemes: new Set(Object.keys(schemes ?? {})),
      operationIds: new Set(operations.map(({ id }) => id)),
      answers: (method, path) => answered.has(`${method.toUpperCase()} ${shapeOf(path)}`),
    },
    hostRoutes,
  )
  return {
    openapi: '3.1.0',
    info: { title, version, ...info },
    servers: servers ?? [{ url: base || '/' }],
    security: [],
    ...(vocabulary && { 'x-modelrest': vocabulary }),
    tags: toTags(paths, models),
    paths,
    components: {
      schemas: toSchemas(shown),
      parameters: parameters.components,
      responses: toProblemResponses(shown),
      examples: toProblemExamples(shown),
      ...(schemes !== undefined && { securitySchemes: schemes }),
    },
  }
}

/** Every schema that an operation uses, directly or through other schemas, once each. */
const toSchemas = (operations: readonly Operation[]): Readonly<Record<string, JsonSchema>> => {
  const found = new Map<string, JsonSchema>()
  const add = ({ name, schema, uses = [] }: NamedSchema): void => {
    if (found.has(name)) return
    found.set(name, schema)
    for (const used of uses) add(used)
  }
  for (const named of [problemSchema, ...operations.flatMap(namedSchemasOf)]) add(named)
  return Object.fromEntries(found)
}

const toTags = (
  paths: Readonly<Record<string, PathItem>>,
  models: readonly Model[],
): OpenApiDocument['tags'] => {
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const names = new Set(operations.flatMap((operation) => operation.tags))
  const known = new Map(models.map((model) => [model.name, model]))
  return [...names].map((name) => {
    const model = known.get(name)
    return model === undefined
      ? { name, description: descriptions.get(name) ?? `Operations on ${plural(name)}.` }
      : { name, ...describe(model, known) }
  })
}

const descriptions: ReadonlyMap<string, string> = new Map([
  ['other', "The application's own routes."],
  ['Auth', 'Login, registration, tokens and the current user.'],
  ['Access', 'The rights of the caller.'],
])

/** A model's description, its key, and its relations to other served models, if callers may know of them. */
const describe = (model: Model, known: ReadonlyMap<string, Model>): Omit<TagObject, 'name'> => {
  const to = model.relations.filter(
    (relation) =>
      relation.through === undefined && relation.inherited === undefined && isKnown(model, relation, known),
  )
  const sentences = [
    model.readOnly ? 'Read-only.' : '',
    model.primaryKey.length > 0 ? `Key: ${quoted(model.primaryKey)}.` : 'Records do not have a key.',
    relationSentence('References', to, 'to-one', known),
    relationSentence('Referenced by', to, 'to-many', known),
  ]
  const generated = sentences.filter((sentence) => sentence !== '').join(' ')
  return {
    description: model.description === undefined ? generated : `${model.description}\n\n${generated}`,
    'x-references': to
      .filter(({ kind }) => kind === 'to-one')
      .map((relation) => ({ model: relation.model, fields: relation.fields })),
  }
}

const relationSentence = (
  lead: string,
  relations: readonly Relation[],
  wanted: Relation['kind'],
  known: ReadonlyMap<string, Model>,
): string => {
  const shown = relations
    .filter(({ kind }) => kind === wanted)
    .map((relation) => {
      const { kind, model, fields, references } = relation
      if (kind === 'to-many') return `${model} (${quoted(references)})`
      const others = otherKey(relation, known.get(model)).map((name) => `${model}.${name}`)
      return `${others.length === 0 ? model : others.join(' and ')} (${quoted(fields)})`
    })
  return shown.length === 0 ? '' : `${lead}: ${shown.join(', ')}.`
}

const isKnown = (model: Model, relation: Relation, known: ReadonlyMap<string, Model>): boolean => {
  const other = known.get(relation.model)
  return other !== undefined && canRead(model, relation.fields) && canRead(other, relation.references)
}

const canRead = ({ fields }: Model, names: readonly string[]): boolean =>
  names.every((name) => fields.some((field) => field.name === name && isReadable(field)))
