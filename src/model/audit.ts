import { assertKnown, StartError } from '../error/errors.ts'
import type { Model } from './model.ts'
import { modelNamed } from './named.ts'
import { chosenOperations, readingNames } from './operations.ts'
import { assertColumns, type OwnColumns, textKinds, timeKinds } from './own-columns.ts'
import type { NameIn } from './types.ts'

/** Whose writes are recorded: those of all models, or of some. */
export type AuditOption<Types = unknown> = boolean | readonly NameIn<Types>[]

/** How the writes of a model are recorded. */
export interface Audited {
  /** The model of the entries. */
  readonly entries: Model
  /** The model with what its configuration hides from all callers. */
  readonly model: Model
}

/** How writes are recorded, by the name of the model. */
export type AuditTrail = ReadonlyMap<string, Audited>

/** The setting of the audit log, with its type and default. */
export const auditSettings = {
  /** The model of the entries of the option `audit`, as `app.Model`. @default the model named `AuditEntry` */
  AUDIT_MODEL: { type: 'string' },
} as const

/** The fields of an entry. */
const columns: OwnColumns = {
  at: timeKinds,
  caller: textKinds,
  act: textKinds,
  model: textKinds,
  record: textKinds,
  changes: ['json'],
}

/**
 * The model of the entries: the one that `AUDIT_MODEL` names, otherwise `AuditEntry`. `undefined` without the option `audit`.
 *
 * @param named `app.Model`
 * @param declare how to declare the model, for a message
 * @throws StartError if there is no such model, or if it cannot hold entries
 */
export const findAuditModel = (
  models: readonly Model[],
  audit: AuditOption,
  named: string | undefined,
  declare: string,
): Model | undefined => {
  const isUsed = audit !== false
  if (!isUsed && named !== undefined)
    throw new StartError(
      'The setting AUDIT_MODEL has no effect without the option audit. Set audit: true, or remove it.',
    )
  if (!isUsed) return undefined
  const model =
    named === undefined
      ? models.find(({ name }) => name === 'AuditEntry')
      : modelNamed(models, 'AUDIT_MODEL', named)
  if (model === undefined)
    throw new StartError(
      `The option audit needs a model AuditEntry with the fields ${Object.keys(columns).join(', ')}. ${declare}, or, if it has another name, set AUDIT_MODEL: 'app.Model'.`,
    )
  assertColumns('audit model', model, columns, { caller: 'callers may be anonymous' })
  assertChosen(models, audit, model)
  return model
}

const assertChosen = (models: readonly Model[], audit: true | readonly string[], entries: Model): void => {
  if (audit === true) return
  if (audit.length === 0) throw new StartError('The option audit is empty and has no effect. Remove it.')
  const names = models.filter((model) => model !== entries && !model.readOnly).map(({ name }) => name)
  for (const name of audit) assertKnown('audit: unknown model, or one that is not written:', name, names)
}

/** @throws StartError for another type */
export const assertAudit = (audit: unknown): void => {
  const isNames = Array.isArray(audit) && audit.every((name) => typeof name === 'string')
  if (audit !== undefined && typeof audit !== 'boolean' && !isNames)
    throw new StartError(
      "The option audit must be true, false or an array of model names, such as ['Order'].",
    )
}

/**
 * The model of the entries as clients have it: they read it.
 *
 * @throws StartError if its configuration opens other operations
 */
export const readableEntries = (model: Model): Model => {
  const { name, operations = [] } = model
  const entries = { ...model, readOnly: true }
  if (operations.some((operation) => !readingNames.includes(operation)))
    throw new StartError(
      `modelConfig.${name}.operations: clients can only read audit entries. Choose from ${readingNames.join(', ')}.`,
    )
  return Object.freeze({
    ...entries,
    ...(operations.length > 0 && { operations: chosenOperations(entries, operations) }),
  })
}

/** @param models all models, with what their configuration hides */
export const auditTrail = (entries: Model, audit: AuditOption, models: readonly Model[]): AuditTrail => {
  const names: ReadonlySet<string> = new Set(
    typeof audit === 'boolean' ? models.map(({ name }) => name) : audit,
  )
  const covered = models.filter(({ name }) => name !== entries.name && names.has(name))
  return new Map(covered.map((model) => [model.name, Object.freeze({ entries, model })]))
}
