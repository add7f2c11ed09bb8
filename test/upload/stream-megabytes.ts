/** Streams a file of so many megabytes through the parser, and prints how much memory that took. */
import { setImmediate as turn } from 'node:timers/promises'
import { readMultipart } from '../../src/upload/multipart.ts'
import { boundary, contentType, headOf } from './encode.ts'
import { bounds } from './read.ts'

const megabytes = Number(process.argv[2])
const piece = 65_536

async function* body(): AsyncGenerator<Uint8Array> {
  yield Buffer.from(
    `--${boundary}\r\n${headOf({ name: 'a', fileName: 'a', content: new Uint8Array() })}\r\n\r\n`,
  )
  for (let sent = 0; sent < megabytes * 2 ** 20; sent += piece) {
    // As a socket does it: each piece is memory of its own.
    yield Buffer.alloc(piece, sent % 251)
    await turn()
  }
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}

const memory = (): number => process.memoryUsage().rss

let before = 0
let most = 0
let bytes = 0
const started = performance.now()
await readMultipart(body(), contentType, {
  limits: {
    ...bounds,
    UPLOAD_FILE_LIMIT: Number.POSITIVE_INFINITY,
    UPLOAD_BODY_LIMIT: Number.POSITIVE_INFINITY,
  },
  onPart: async (part) => {
    if (part.kind !== 'file') return
    for await (const chunk of part.bytes) {
      bytes += chunk.length
      // The first pieces compile the code and fill the pools.
      if (bytes < 32 * 2 ** 20) before = memory()
      else most = Math.max(most, memory())
    }
  },
})
const seconds = (performance.now() - started) / 1000
process.stdout.write(
  JSON.stringify({
    bytes,
    grownBy: Math.max(0, most - before),
    perSecond: Math.round(bytes / 2 ** 20 / seconds),
  }),
)
