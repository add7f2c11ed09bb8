import { describe, expect, it } from 'vitest'
import type { Reply } from '../../src/operation/call.ts'
import { type Progress, runAsync, runSync } from '../../src/operation/run.ts'
import { pullBody, type Steps, wait } from '../../src/operation/steps.ts'

const reply = (text: string): Reply => ({ status: 200, headers: {}, body: text })

function* echo(before: unknown, after: unknown): Steps<Reply> {
  const first = yield* wait(before)
  const body = yield* pullBody()
  const last = yield* wait(after)
  return reply(`${first} ${new TextDecoder().decode(body)} ${last}`)
}

const textOf = async (progress: Progress | Promise<Progress>): Promise<unknown> => {
  const reached = await progress
  return 'reply' in reached ? reached.reply.body : textOf(reached.resume(new TextEncoder().encode('body')))
}

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
    const done = 'resume' in reached ? reached.resume(new TextEncoder().encode('body')) : reached
    expect(done).toEqual({ reply: reply('a body b') })
  })

  it('refuses a promise', () => {
    expect(() => runSync(echo(Promise.resolve('a'), 'b'))).toThrow(/isAsync is false/)
    expect(() => runSync(echo(Promise.reject(new Error('no')), 'b'))).toThrow(/isAsync is false/)
  })
})
