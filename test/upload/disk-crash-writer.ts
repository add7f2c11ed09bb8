import { createHash, randomBytes, randomInt } from 'node:crypto'
import { diskStorage } from '../../src/upload/disk.ts'
import { storageKey } from '../../src/upload/keys.ts'

// Puts files until it is killed. Each begins with the hash of the rest; the key of each that is there for good is a line.
const [directory = ''] = process.argv.slice(2)
const storage = diskStorage({ directory })

const chunked = async function* (content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 16_384) yield content.subarray(at, at + 16_384)
}

const write = async (): Promise<void> => {
  for (;;) {
    const rest = randomBytes(randomInt(300_000))
    const hash = createHash('sha256').update(rest).digest()
    const key = storageKey({ model: 'Product', field: 'photo', type: 'image/png' })
    await storage.put(key, chunked(Buffer.concat([hash, rest])))
    process.stdout.write(`${key}\n`)
  }
}

await Promise.all([write(), write(), write()])
