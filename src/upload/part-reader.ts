import { Buffer } from 'node:buffer'
import { shortened } from '../error/issue.ts'
import { Gathered } from '../operation/gathered.ts'
import type { MultipartReading } from './multipart-reading.ts'
import { misfit, tooMuch } from './multipart-refusals.ts'
import { type PartBytes, partBytesOf } from './part-bytes.ts'
import type { PartHead } from './part-head.ts'
import type { Tokens } from './tokens.ts'

const namesFile = ({ fileName }: PartHead): boolean => fileName !== undefined

/** Reads the part whose head was the last token, and gives it to the handler. */
export const partReader = (
  tokens: Tokens,
  { limits, onPart, isFile = namesFile, repeats = false }: MultipartReading,
): ((head: PartHead) => Promise<void>) => {
  const seen = new Set<string>()
  let files = 0
  let fields = 0
  let textLeft = limits.textBytes

  const assertName = (name: string): void => {
    // Whoever makes an object of the parts must not get one with another prototype.
    if (name === '__proto__') throw misfit(name, 'unknown_key', 'There is no field __proto__.')
    if (seen.has(name) && !repeats)
      throw misfit(name, 'repeated', `There is more than one part ${shortened(name)}.`)
    seen.add(name)
  }

  const readText = async (name: string): Promise<void> => {
    fields += 1
    if (fields > limits.fields) throw tooMuch(`The body has more than ${limits.fields} text parts.`)
    const refusal = () => tooMuch(`The text parts are larger than ${limits.textBytes} bytes.`, name)
    const text = await textOf(name, partBytesOf(tokens, textLeft, refusal))
    textLeft -= Buffer.byteLength(text)
    await onPart({ kind: 'text', name, text })
  }

  const readFile = async (head: PartHead): Promise<void> => {
    files += 1
    if (files > limits.files) throw tooMuch(`The body has more than ${limits.files} files.`)
    const refusal = () =>
      tooMuch(`The file ${shortened(head.name)} is larger than ${limits.fileBytes} bytes.`, head.name)
    const part = partBytesOf(tokens, limits.fileBytes, refusal)
    const first = await part.take()
    // A form sends this for a file that nobody has chosen.
    if (first === undefined && (head.fileName ?? '') === '') return
    try {
      await onPart({ kind: 'file', ...head, bytes: streamOf(first, part) })
    } finally {
      part.close()
    }
    await part.leave()
  }

  return async (head) => {
    assertName(head.name)
    await (isFile(head) ? readFile(head) : readText(head.name))
  }
}

async function* streamOf(first: Uint8Array | undefined, part: PartBytes): AsyncGenerator<Uint8Array> {
  for (let bytes = first; bytes !== undefined; bytes = await part.take()) yield bytes
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const textOf = async (name: string, part: PartBytes): Promise<string> => {
  const gathered = new Gathered()
  for (let bytes = await part.take(); bytes !== undefined; bytes = await part.take()) gathered.add(bytes)
  try {
    return utf8.decode(gathered.whole())
  } catch {
    throw misfit(name, 'invalid_format', `${shortened(name)} must be text in UTF-8.`)
  }
}
