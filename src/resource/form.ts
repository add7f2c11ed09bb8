import { isReadable } from '../model/model.ts'
import type { ByteSource } from '../operation/byte-source.ts'
import type { Call } from '../operation/call.ts'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import { membersOf } from '../schema/members.ts'
import { type FormReading, receiveForm } from '../upload/receive-form.ts'
import type { Uploads } from '../upload/uploads.ts'
import type { Body } from './body.ts'
import type { Resource } from './resource.ts'

type Which = 'create' | 'update' | 'replace'

/** Reads the form of a request, as `read` reads a JSON body. */
export type Receive = (source: ByteSource, call: Call, read: (body: unknown) => Steps<Body>) => Steps<Body>

/** Reads forms for an act, where it takes them. What is refused once they are there leaves nothing of their files. */
export const receiving = (resource: Resource, which: Which): Receive => {
  const reading = readingOf(resource, which)
  return function* (source, call, read) {
    if (reading === undefined) throw new Error(`${resource.model.name} takes no forms.`)
    const { body, uploads } = yield* waitInAnyMode(receiveForm(source, call, reading))
    const values = yield* orDropped(
      uploads,
      confirmedRead(call, () => read(body)),
    )
    return { ...values, uploads }
  }
}

function* confirmedRead(call: Call, read: () => Steps<Body>): Steps<Body> {
  if (call.confirm !== undefined) yield* call.confirm()
  return yield* read()
}

/** Runs the rest of a request. Where it fails, the files that came with it are deleted. */
export function* orDropped<T>(uploads: Uploads | undefined, rest: Steps<T>): Steps<T> {
  if (uploads === undefined) return yield* rest
  try {
    return yield* rest
  } catch (error) {
    yield* waitInAnyMode(uploads.drop())
    throw error
  }
}

const readingOf = ({ model, files, bodies }: Resource, which: Which): FormReading | undefined => {
  if (files === undefined || !files.takesForm[which]) return undefined
  const { storage, limits, times } = files
  const members = membersOf(model, which).map(({ field }) => field)
  // A PUT may send back what a GET has shown.
  const shown = which === 'replace' ? model.fields.filter(isReadable) : []
  const fields = new Map([...shown, ...members].map((field) => [field.name, field]))
  return { model, storage, limits, times, fields, isCustom: bodies.isCustom[which] }
}
