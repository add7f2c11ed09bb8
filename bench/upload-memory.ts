import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

// Uploads 500 MB and prints by how much the server's resident memory grows meanwhile, and that of one by hand that drops
// them: what Node takes itself before it collects what it has read.
const MEGABYTES = 500
const boundary = 'of-the-benchmark'

/** Kilobytes, as Linux counts them. */
const resident = (pid: number, name: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

const upload = async (address: string, megabytes: number): Promise<number | undefined> => {
  const sent = request(`${address}/documents/`, {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  })
  const replied = once(sent, 'response')
  const part = (head: string): string => `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`
  sent.write(`${part('name="title"')}Large\r\n${part('name="content"; filename="large.bin"')}`)
  const chunk = Buffer.alloc(1 << 20, 7)
  for (let count = 0; count < megabytes; count += 1) if (!sent.write(chunk)) await once(sent, 'drain')
  sent.end(`\r\n--${boundary}--\r\n`)
  const [response] = (await replied) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  return response.statusCode
}

const measure = async (script: string): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-bench-'))
  const server = spawn(process.execPath, [join(import.meta.dirname, script), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [address] = (await once(createInterface({ input: server.stdout }), 'line')) as [string]
    const { pid = 0 } = server
    // What is loaded and compiled with a first upload stays, whatever its size.
    for (let count = 0; count < 5; count += 1) await upload(address, 5)
    // From here on the highest counts (proc(5)): the start of the process took more than it holds now.
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    const before = resident(pid, 'VmRSS')
    const start = performance.now()
    const status = await upload(address, MEGABYTES)
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    const grown = Math.round((resident(pid, 'VmHWM') - before) / 1024)
    const from = Math.round(before / 1024)
    console.log(
      `${script}: ${status}, ${MEGABYTES} MB in ${seconds} s, resident ${from} MB, grown by ${grown} MB`,
    )
  } finally {
    server.kill()
    rmSync(folder, { recursive: true })
  }
}

for (const script of ['upload-bare.ts', 'upload-server.ts']) await measure(script)
