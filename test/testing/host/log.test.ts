import Fastify from 'fastify'
import { describe } from 'vitest'
import { errorsPart } from '../../../src/testing/host/errors.ts'
import { logPart } from '../../../src/testing/host/log.ts'
import { operations } from '../../../src/testing/host/operations.ts'
import { type HostUnderTest, hostSubject } from '../../../src/testing/host/subject.ts'
import { startFastify } from '../../host/listen.ts'
import { runner } from '../../runner.ts'

/** A host with a logger of its own. */
const logging = (takeLog?: HostUnderTest['takeLog']) => {
  let lines = ''
  const stream = {
    write: (line: string): void => {
      lines += line
    },
  }
  const take = (): string => {
    const taken = lines
    lines = ''
    return taken
  }
  const tested: HostUnderTest = {
    name: 'fastify',
    start: (given) => startFastify(given, Fastify({ logger: { level: 'info', stream } })),
    takeLog: takeLog ?? take,
  }
  return { tested, take }
}

describe('a host with a logger of its own', () => {
  const { tested, take } = logging()
  const subject = hostSubject(runner, tested, { base: '', operations, takeLog: take })
  logPart(subject)
  errorsPart(subject)
})

describe('a host whose log cannot be read', () => {
  const { tested } = logging(false)
  const subject = hostSubject(runner, tested, { base: '', operations })
  logPart(subject)
  errorsPart(subject)
})
