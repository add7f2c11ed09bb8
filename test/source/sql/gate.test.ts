import { describe, expect, it } from 'vitest'
import { newGate } from '../../../src/source/sql/gate.ts'

/** A gate, and what went through it, in order. */
const stage = () => {
  const gate = newGate()
  const log: string[] = []
  const say = (text: string) => async () => {
    log.push(text)
    return text
  }
  return { gate, log, say }
}

describe('a gate', () => {
  it('lets statements wait for the end of a transaction, and one transaction for another', async () => {
    const { gate, log, say } = stage()
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = gate.transaction(async () => {
      log.push('begin 1')
      await promise
      await gate.statement(say('inside 1'))
      log.push('end 1')
    })
    const outside = gate.statement(say('outside'))
    const second = gate.transaction(say('2'))
    await Promise.resolve()
    resolve()
    await Promise.all([first, outside, second])
    expect(log).toEqual(['begin 1', 'inside 1', 'end 1', 'outside', '2'])
  })

  it('lets a transaction wait for statements that run', async () => {
    const { gate, log, say } = stage()
    const { promise, resolve } = Promise.withResolvers<void>()
    const running = gate.statement(async () => {
      await promise
      log.push('statement')
    })
    const transaction = gate.transaction(say('transaction'))
    await Promise.resolve()
    resolve()
    await Promise.all([running, transaction])
    expect(log).toEqual(['statement', 'transaction'])
  })

  it('opens again after errors', async () => {
    const { gate, say } = stage()
    const failing = async () => {
      throw new Error('x')
    }
    await expect(gate.statement(failing)).rejects.toThrow('x')
    await expect(gate.transaction(failing)).rejects.toThrow('x')
    expect(await gate.statement(say('a'))).toBe('a')
    expect(await gate.transaction(say('b'))).toBe('b')
  })

  it('lets nothing of an ended transaction into the next one', async () => {
    const { gate, log, say } = stage()
    const later = Promise.withResolvers<void>()
    let late: Promise<unknown> = Promise.resolve()
    await gate.transaction(async () => {
      late = later.promise.then(() => gate.statement(say('late')))
    })
    const { promise, resolve } = Promise.withResolvers<void>()
    const second = gate.transaction(async () => {
      await promise
      log.push('second')
    })
    later.resolve()
    await Promise.resolve()
    await Promise.resolve()
    resolve()
    await Promise.all([second, late])
    expect(log).toEqual(['second', 'late'])
  })
})
