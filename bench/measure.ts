import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type FromLoad, type FromServer, nextMessage, type ToLoad } from './messages.ts'

export interface Measured {
  readonly perSecond: number
  /** CPU time of the server for one request. It hardly depends on what else the machine does. */
  readonly microseconds: number
  /** Milliseconds until a response. */
  readonly p50: number
  readonly p99: number
  /** How much of its core the load generator used. Near 1, it is the load that was measured. */
  readonly loadCpu: number
}

/** Whether a process can have a core of its own. */
export const canPin: boolean = (() => {
  try {
    execFileSync('taskset', ['-c', '1', 'true'], { stdio: 'ignore' })
    return cpus().length > 1
  } catch {
    return false
  }
})()

/** A process on a core of its own. */
export const onCore = (core: number, script: string, ...args: string[]): ChildProcess => {
  const command = [process.execPath, '--expose-gc', fileURLToPath(new URL(script, import.meta.url)), ...args]
  const [file = '', ...rest] = canPin ? ['taskset', '-c', String(core), ...command] : command
  return spawn(file, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

/** Keeps a process, and those that it starts from now on, on one core. */
export const pinTo = (core: number, pid: number): void => {
  if (canPin) execFileSync('taskset', ['-acp', String(core), String(pid)], { stdio: 'ignore' })
}

const ask = <T>(child: ChildProcess, message: object): Promise<T> => {
  const answer = nextMessage<T>(child)
  child.send(message)
  return answer
}

const cpuOf = async (server: ChildProcess): Promise<number> =>
  (await ask<FromServer>(server, {})).cpuMicroseconds ?? 0

/** The resident memory of a server in bytes, once its garbage is collected. */
export const memoryOf = async (server: ChildProcess): Promise<number> =>
  (await ask<FromServer>(server, { memory: true })).rss ?? 0

/** Measures one kind of request, after as much of `warmUp`. */
export const measure = async (
  server: ChildProcess,
  load: ChildProcess,
  order: ToLoad,
  warmUp: Pick<ToLoad, 'requests'> | Pick<ToLoad, 'seconds'>,
): Promise<Measured> => {
  await ask<FromLoad>(load, { ...order, ...warmUp })
  const before = await cpuOf(server)
  const result = await ask<FromLoad>(load, order)
  const used = (await cpuOf(server)) - before
  if (result.failures > 0)
    throw new Error(`${order.method} ${order.paths[0]}: ${result.failures} requests failed.`)
  return {
    perSecond: result.requests / result.seconds,
    microseconds: used / result.requests,
    p50: result.p50,
    p99: result.p99,
    loadCpu: result.cpuMicroseconds / 1e6 / result.seconds,
  }
}

/** The same in another order: another one is first in each round. */
export const turned = <T>(values: readonly T[], round: number): readonly T[] => [
  ...values.slice(round % values.length),
  ...values.slice(0, round % values.length),
]

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
