import { type ChildProcess, spawn } from 'node:child_process'

/** The shop in a process of its own, on the built package. */
export interface ShopProcess {
  /** `http://127.0.0.1:<port>/api/` */
  readonly api: string
  readonly child: ChildProcess
  /** Its exit code, once it has ended. Null: a signal ended it. */
  readonly ended: Promise<number | null>
  /** What it wrote. */
  output(): string
}

/** @throws with what it wrote where it ends before it serves */
export const startShop = (environment: Readonly<Record<string, string>>): Promise<ShopProcess> => {
  const child = spawn(process.execPath, ['examples/shop/server.ts'], {
    env: { ...process.env, PORT: '0', SEED_PRODUCTS: '100', ...environment },
  })
  const killIt = (): void => void child.kill('SIGKILL')
  process.once('exit', killIt)
  const lastLine = environment['AUTH'] === '1' ? /^Demo user .*$/m : /^Documentation .*$/m
  let output = ''
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      process.off('exit', killIt)
      resolve(code)
    })
  })
  return new Promise((resolve, reject) => {
    const collect = (chunk: Buffer): void => {
      output += chunk.toString()
      const [, api] = /^Shop API +(http\S+)products\/$/m.exec(output) ?? []
      if (api !== undefined && lastLine.test(output)) resolve({ api, child, ended, output: () => output })
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    ended.then((code) => reject(new Error(`The shop ended with ${code}:\n${output}`)))
  })
}
