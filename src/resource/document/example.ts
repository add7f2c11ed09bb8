import { isFileField } from '../../model/kinds/index.ts'
import { fittingExample } from '../../schema/custom/example.ts'
import { exampleOf } from '../../schema/example.ts'
import { jsonSchemasOf } from '../../schema/json-schema.ts'
import { membersOf } from '../../schema/members.ts'
import type { Resource } from '../parts/resource.ts'

type Example = Readonly<Record<string, unknown>>
type Which = 'create' | 'update' | 'replace'

/** An example body in JSON. `undefined` if it requires a file, which JSON cannot send. */
export const bodyExample = (
  resource: Pick<Resource, 'model' | 'bodies'>,
  which: Which,
): Example | undefined =>
  membersOf(resource.model, which).some(({ field, required }) => required && isFileField(field))
    ? undefined
    : knownExample(resource, which)

/** The same without regard to files. `undefined` if a custom schema has none. */
export const knownExample = (
  { model, bodies: { jsonSchemas } }: Pick<Resource, 'model' | 'bodies'>,
  which: Which,
): Example | undefined =>
  jsonSchemas[which] === jsonSchemasOf(model)[which]
    ? exampleOf(model, which)
    : fittingExample(model, which, jsonSchemas[which].schema)
