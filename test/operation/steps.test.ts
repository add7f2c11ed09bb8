import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { Reply } from '../../src/operation/call.ts'
import {
  type ByteSource,
  type Progress,
  pullBody,
  pullStream,
  runAsync,
  runSync,
  type Steps,
  wait,
  waitInAnyMode,
} from '../../src/operation/steps.ts'
import { naming } from '../naming.ts'

const reply = (text: string): Reply => ({ status: 200, headers: {}, body: text })

function* echo(before: unknown, after: unknown): Steps<Reply> {
  const first = yield* wait(before)
  const body = yield* pullBody()
  const last = yield* wait(after)
  return reply(`${first} ${new TextDecoder().decode(body)} ${last}`)
}

/** Reads its body as it arrives. */
function* form(before: unknown, after: unknown): Steps<Reply> {
  const first = yield* wait(before)
  const source = yield* pullStream()
  const body = yield* waitInAnyMode(text(Readable.from(source)))
  const last = yield* wait(after)
  return reply(`${first} ${body} ${last}`)
}

const textOf = async (progress: Progress<Reply> | Promise<Progress<Reply>>): Promise<unknown> => {
  const reached = await progress
  if ('reply' in reached) return reached.reply.body
  return textOf(
    reached.wants === 'bytes' ? reached.resume(bytes('body')) : reached.resume(streamOf('bo', 'dy')),
  )
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const streamOf = (...texts: readonly string[]): ByteSource => Readable.from(texts.map(bytes))

describe('the asynchronous runner', () => {
  it('is done in the same tick where nothing is waited for', () => {
    const reached = runAsync(echo('a', 'b'))
    expect(reached).not.toBeInstanceOf(Promise)
    expect(reached).toHaveProperty('resume')
  })

  it('awaits promises before and after the body', async () => {
    expect(await textOf(runAsync(echo(Promise.resolve('a'), Promise.resolve('b'))))).toBe('a body b')
    expect(await textOf(runAsync(echo('a', Promise.resolve('b'))))).toBe('a body b')
  })

  it('hands out the body as it arrives', async () => {
    expect(await textOf(runAsync(form('a', 'b')))).toBe('a body b')
    expect(await textOf(runAsync(form(Promise.resolve('a'), Promise.resolve('b'))))).toBe('a body b')
    expect(await runAsync(form('a', 'b'))).toMatchObject({ wants: 'stream' })
    expect(await runAsync(form(Promise.resolve('a'), 'b'))).toMatchObject({ wants: 'stream' })
  })

  it('throws a rejection into the operation, which may answer it', async () => {
    function* careful(): Steps<Reply> {
      try {
        yield* wait(Promise.reject(new Error('no')))
      } catch {
        return reply('caught')
      }
      return reply('missed')
    }
    expect(await textOf(runAsync(careful()))).toBe('caught')
    await expect(textOf(runAsync(echo('a', Promise.reject(new Error('late')))))).rejects.toThrow('late')
  })
})

describe('the synchronous runner', () => {
  it('has its reply in the same tick as the body', () => {
    const reached = runSync(echo('a', 'b'))
    const done = 'wants' in reached && reached.wants === 'bytes' ? reached.resume(bytes('body')) : reached
    expect(done).toEqual({ reply: reply('a body b') })
  })

  it('refuses a promise', () => {
    expect(() => runSync(echo(Promise.resolve('a'), 'b'))).toThrow(naming('isAsync'))
    expect(() => runSync(echo(Promise.reject(new Error('no')), 'b'))).toThrow(naming('isAsync'))
  })

  it('waits for the parts of a form, and then for nothing', async () => {
    expect(await textOf(runSync(form('a', 'b')))).toBe('a body b')
    await expect(textOf(runSync(form('a', Promise.resolve('b'))))).rejects.toThrow(naming('isAsync'))
  })
})
