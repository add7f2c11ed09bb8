import assert from 'node:assert/strict'
import { type FileStorage, StorageError } from '../../upload/storage.ts'
import { same } from '../suite/assertions.ts'
import type { Runner } from '../suite/runner.ts'
import { describeFiles } from './files.ts'
import { describeList } from './list.ts'
import { describeSignedUrls } from './signed-urls.ts'
import { newKey, type StorageSubject, storageSubject, type Test } from './subject.ts'
import { describeUploads } from './uploads.ts'

/** A storage for {@link storageContract}. */
export interface StorageUnderTest {
  /** The title of the suite, such as `'the storage in Azure'`. */
  readonly name: string
  /** Opens a storage without files, before the tests. The tests must be its only user while they run. */
  readonly open: () => FileStorage | PromiseLike<FileStorage>
  /** Runs after the tests, for example to delete a bucket. @default nothing */
  readonly close?: () => unknown
  /** Whether the storage has `signedUrl`. The tests then request such URLs with `fetch`. @default false */
  readonly signedUrls?: boolean
  /**
   * The number of bytes after which an upload is visible in `list`, such as the size of a part in a multipart upload. Tests
   * store up to three times as many.
   * @default 5_242_880 (5 MiB)
   */
  readonly partBytes?: number
}

/** The size of a part in S3. */
const PART = 5 * 1024 * 1024

/**
 * Declares the tests that each implementation of `FileStorage` must pass. They need `fast-check`
 * (`npm install --save-dev fast-check`).
 *
 * @example
 * ```ts
 * import { rmSync } from 'node:fs'
 * import { after, before, describe, it } from 'node:test'
 * import { diskStorage } from 'modelrest'
 * import { storageContract } from 'modelrest/testing'
 *
 * const directory = 'test-media'
 *
 * storageContract(
 *   { describe, it, before, after },
 *   {
 *     name: 'the storage on disk',
 *     open: () => diskStorage({ directory }),
 *     close: () => rmSync(directory, { recursive: true }),
 *   },
 * )
 * ```
 */
export const storageContract = (
  runner: Runner,
  { name, open, close, signedUrls = false, partBytes = PART }: StorageUnderTest,
): void => {
  let opened: StorageSubject | undefined
  const test: Test = (title, body) => {
    runner.it(title, () => {
      if (opened === undefined) throw new Error('open() did not return a storage.')
      return body(opened)
    })
  }
  runner.describe(name, () => {
    runner.before(async () => {
      opened = storageSubject(await open())
    })
    runner.after(async () => {
      await close?.()
    })
    test('is usable and empty', async ({ storage, listed }) => {
      await storage.check()
      same(await listed(), [], 'open() must return a storage without files.')
    })
    describeFiles(test, partBytes)
    describeUploads(test, partBytes)
    describeList(test)
    if (signedUrls) describeSignedUrls(test)
    else
      test('does not have signedUrl', async ({ storage }) => {
        same(storage.signedUrl, undefined, 'The storage has signedUrl: set signedUrls: true to test it.')
      })
    test('throws errors that reveal nothing about the system', async ({ storage }) => {
      const error: unknown = await storage.open(newKey()).catch((caught: unknown) => caught)
      assert.ok(error instanceof StorageError, 'open() must throw a StorageError for a missing file.')
      same(error.message, new StorageError('missing').message, 'The message must be that of StorageError.')
    })
  })
}
