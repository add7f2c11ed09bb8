import { isRecord } from '../../error/record.ts'
import { ownValue } from '../../model/objects.ts'
import { withUnfinished } from '../../model/soft-deletion.ts'
import type { Call } from '../../operation/call.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { type Row, SourceError } from '../../source/source.ts'
import { isGeneratedFileKey } from '../../upload/keys.ts'
import { deleteFiles } from '../../upload/storage.ts'
import type { Uploads } from '../../upload/uploads.ts'
import { heldKeys, keysIn, type ModelFiles, type ModelMedia } from '../parts/files.ts'
import { unscopedReads } from '../parts/records.ts'
import type { ModelRecords, Resource } from '../parts/resource.ts'
import { shownRow } from '../show/files.ts'
import type { Change, Stored } from './change.ts'

export const changesFiles = ({ fields }: ModelFiles, { values }: Change): boolean =>
  fields.some(({ name }) => ownValue(values, name) !== undefined)

/**
 * Runs after the commit and response: deletes files that no record holds any more, and uploads that a hook left out. The
 * application may have given the file of a record to others.
 */
export const afterWrites = (
  { storage, columns }: ModelFiles,
  all: readonly Stored[],
  { commits }: ModelRecords,
  { log }: Call,
): void => {
  const lost = [...new Set(all.flatMap(lostKeys))]
  if (lost.length === 0) return
  commits.follow(async () => {
    let held: ReadonlySet<string>
    try {
      held = await heldKeys(columns, lost)
    } catch (error) {
      log.error(
        `Could not check whether records still refer to these files. Run \`modelrest files clean\` to delete those that are unused: ${lost.join(', ')}.`,
        error,
      )
      return
    }
    await deleteFiles(
      storage,
      lost.filter((key) => !held.has(key)),
      log,
    )
  })
}

/** The files that a record no longer holds, and the uploads that it does not hold. The uploads are no longer dropped elsewhere. */
const lostKeys = ({
  target: {
    bodies: { files },
  },
  change,
  record,
  before = {},
}: Stored): readonly string[] => {
  const fields = (files?.fields ?? []).map(({ name }) => name)
  const { uploads, verb } = change
  const held = new Set(verb === 'delete' ? [] : keysIn(record, fields))
  const uploaded = [...(uploads?.files.values() ?? [])].map(({ key }) => key)
  uploads?.keep(uploaded)
  // Keeps files that other programs wrote, because those may still use them.
  const earlier = keysIn(verb === 'delete' ? record : before, fields).filter(isGeneratedFileKey)
  return [...uploaded, ...earlier].filter((key) => !held.has(key))
}

/** A commit that failed may still have succeeded in the database, so files that a record may hold are kept. */
export function* keepIfStored(
  { model, records: { source } }: Pick<Resource, 'model' | 'records'>,
  call: Call,
  uploads: Uploads,
  thrown: unknown,
): Steps<void> {
  const [first] = uploads.files
  if (first === undefined) return
  const [field, { key }] = first
  const keys = [...uploads.files.values()].map((file) => file.key)
  const keepAll = (error: unknown): void => {
    uploads.keep(keys)
    call.log.error(`The outcome of a write is unknown, so its files are kept: ${keys.join(', ')}.`, error)
  }
  // The database may still be committing, so a query now could be too early.
  if (thrown instanceof SourceError && thrown.kind === 'lost') return keepAll(thrown)
  try {
    const all = unscopedReads(source, withUnfinished(model))
    const stored = yield* wait(all.count({ op: 'eq', field, value: key }, 1))
    if (stored > 0) uploads.keep(keys)
  } catch (error) {
    keepAll(error)
  }
}

/** Removes unchanged file keys from `values`, because a hook may return the keys of the record that it received. */
export const withoutHeldFiles = ({ fields }: ModelFiles, values: object, found: Row | undefined): object => {
  const held = fields.filter(({ name }) => {
    const value: unknown = Reflect.get(values, name)
    return typeof value === 'string' && value === ownValue(found, name)
  })
  return held.length === 0 ? values : without(values, held)
}

/**
 * Removes unchanged files from a JSON body, so that clients can send back the URLs of a response. Ignores signatures.
 */
export function* withoutUnchangedFiles(
  resource: Pick<Resource, 'model' | 'bodies'>,
  media: ModelMedia,
  body: unknown,
  stored: () => Steps<Row>,
): Steps<unknown> {
  if (!isRecord(body)) return body
  const sent = media.fields.filter(({ name }) => typeof Reflect.get(body, name) === 'string')
  if (sent.length === 0) return body
  const shown = yield* shownRow(resource, yield* stored())
  const same = sent.filter(({ name }) => isSame(Reflect.get(body, name), ownValue(shown, name)))
  return without(body, same)
}

const isSame = (sent: unknown, url: unknown): boolean =>
  typeof sent === 'string' && typeof url === 'string' && plain(sent) === plain(url)

const plain = (url: string): string => url.replace(/[?#].*$/s, '')

export const without = (values: object, fields: readonly { readonly name: string }[]): object =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !fields.some(({ name }) => name === key)))
