import { assertKnown, StartError } from '../error/errors.ts'
import { type Field, fieldOf, type Model } from './model.ts'
import { hasOperation } from './operations.ts'

/** What `modelConfig` says of the versions of a model's records. */
interface VersionConfig {
  readonly version?: string
  readonly requireIfMatch?: boolean
}

/** What options of a model, such as `hidden`, say of its fields. */
type Choices = Readonly<Record<'hidden' | 'readOnly' | 'writeOnly', ReadonlyMap<string, boolean | undefined>>>

/** Whether each write adds one to the version. Otherwise it is the time of the write. */
export const isCounter = ({ kind }: Pick<Field, 'kind'>): boolean => kind === 'integer' || kind === 'bigint'

/**
 * The column of the versions, which clients can read but not write.
 *
 * @param choices what options say of each field
 * @throws StartError for a column that cannot hold versions, and for options without effect
 */
export const versionOf = (
  model: Model,
  { version, requireIfMatch }: VersionConfig,
  { hidden, readOnly, writeOnly }: Choices,
): Pick<Model, 'version' | 'requireIfMatch'> => {
  const place = `modelConfig.${model.name}`
  const changes = ['update', 'replace', 'delete'] as const
  if (requireIfMatch === true && !changes.some((act) => hasOperation(model, act)))
    throw new StartError(
      `${place}.requireIfMatch has no effect because clients can neither change nor delete ${model.name}. Remove it.`,
    )
  const required = requireIfMatch === true ? { requireIfMatch } : {}
  if (version === undefined) return required
  if (model.readOnly)
    throw new StartError(`${place}.version has no effect because ${model.name} is a view. Remove it.`)
  assertVersion(model, `${place}.version`, version)
  if (hidden.get(version) === true || writeOnly.get(version) === true)
    throw new StartError(
      `${place}: the ETag of a record shows ${version}, because it is the version. Remove it from hidden and writeOnly.`,
    )
  if (readOnly.get(version) === false)
    throw new StartError(
      `${place}: clients cannot write ${version}, because it is the version of a record. Remove it from readOnly.`,
    )
  return { version, ...required }
}

const kinds: readonly Field['kind'][] = ['integer', 'bigint', 'datetime', 'localdatetime']

const assertVersion = (model: Model, place: string, name: string): void => {
  assertKnown(
    `${place}: unknown field`,
    name,
    model.fields.map((field) => field.name),
  )
  const field = fieldOf(model, name)
  const refuse = (reason: string): never => {
    throw new StartError(`${place}: ${name} ${reason}`)
  }
  if (!kinds.includes(field.kind))
    refuse(`is a column of the kind ${field.kind}. Use an integer column or a timestamp.`)
  if (field.nullable) refuse('is nullable. Use a column that is not.')
  if (field.generated && !(field.raised === true && isCounter(field)))
    refuse(
      'is written by the database or the ORM, such as a timestamp of updates. Declare it as a plain column.',
    )
  if (field.foreign === true || model.primaryKey.includes(name))
    refuse('is part of a key. Use a column of its own.')
}
