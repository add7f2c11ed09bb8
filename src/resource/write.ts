import type { CommitEvent } from '../controller/hooks.ts'
import type { Steps } from '../operation/steps.ts'
import type { RecordStore, Row } from '../source/source.ts'
import type { Uploads } from '../upload/uploads.ts'

/** A write at its heart. */
export interface Write {
  readonly event: CommitEvent
  /** What is written, for creates and updates. */
  readonly values: Row
  /** The fields that come from the client: those of its body, and what a schema of the application's own made of it. */
  readonly sent: readonly string[]
  /** Of a record that is there already. */
  readonly key?: readonly unknown[]
  /** That record as it was found before, where it was. */
  readonly seen?: Row | undefined
  /** The statement. It gives the record as it is stored, or as it was. */
  readonly act: (store: RecordStore) => Steps<Row>
  /** The files that came with it. */
  readonly uploads?: Uploads | undefined
}

/** What became of a write. */
export interface Written {
  readonly record: Row
  /** What the reply shows: the record, or what a hook gave in its place. `undefined`: the caller may not read the record. */
  readonly shown: object | undefined
  /** The record as it was before, where the files that it held matter. */
  readonly before?: Row
}
