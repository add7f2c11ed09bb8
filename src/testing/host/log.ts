import { matches, names, same } from '../suite/assertions.ts'
import type { HostSubject } from './subject.ts'

/** What the suite reads instead of stderr. */
export interface Capture {
  take(): string
  release(): void
}

/** Collects what is written to stderr instead of writing it. */
export const captureStderr = (): Capture => {
  const { write } = process.stderr
  let text = ''
  process.stderr.write = (chunk: string | Uint8Array): boolean => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    return true
  }
  return {
    take: () => {
      const taken = text
      text = ''
      return taken
    },
    release: () => {
      process.stderr.write = write
    },
  }
}

const lineBreaks = ['\n', '\r\n', '\r', '\u000b', '\u0085', '\u2028', '\u2029', '\u001b[1A']

/** Asserts what operations write to the log. */
export const logPart = ({ runner: { describe, it }, tested, ask, takeLog }: HostSubject): void => {
  if (takeLog === undefined) return

  const written = async (line: string, details: object): Promise<string> => {
    takeLog()
    const reply = await ask('POST', '/logs/', { body: JSON.stringify({ line, details }) })
    same(reply.status, 204, 'Writing to the log must not fail.')
    return takeLog()
  }

  describe('the log', () => {
    if (tested.takeLog !== undefined) {
      it('the logger of the host receives the line, its details and the error', async () => {
        const text = await written('login', { user: 'ada', n: 7 })
        names(text, ['login', 'ada', '7', 'Error'], 'RequestHead.log must write to the logger of the host.')
      })
      return
    }

    it('a line on stderr has its details and the id of the request', async () => {
      const [info, warn, error, ...stack] = (await written('login', { user: 'ada', n: 7 })).split('\n')
      const id = /"request_id":"([\w-]+)"/.exec(info ?? '')?.[1]
      same(info, `login {"request_id":"${id}"}`, 'A line must end with the id of the request.')
      same(warn, `login {"user":"ada","n":7,"request_id":"${id}"}`, 'A line must have its details as JSON.')
      names(error, ['login', String(id), 'Error: login'], 'An error must have its line, request and message.')
      const causes = /^ +at .*\n[\s\S]*\n {2}caused by Error: login\n +at /
      matches(stack.join('\n'), causes, 'An error must be written with its stack and causes.')
    })

    for (const lineBreak of lineBreaks)
      it(`a client cannot start a line on stderr with ${JSON.stringify(lineBreak)}`, async () => {
        const text = await written(`login${lineBreak}forged`, { user: `ada${lineBreak}forged` })
        // The host may still tell of requests before.
        const started = text.split(/[\p{Cc}\u2028\u2029]/u).filter((line) => /^\S.*forged/.test(line))
        same(started.length, 3, 'Three lines must be written, for info, warn and error.')
        const [info, warn, error] = started
        const wrong = 'Line breaks in a text must be escaped.'
        matches(info, /^login\\u.*forged {"request_id":"[\w-]+"}$/, wrong)
        matches(warn, /^login\\u.*forged {"user":"ada\\.*forged","request_id":"[\w-]+"}$/, wrong)
        matches(error, /^login\\u.*forged\b.* [\w-]+: Error: login/, wrong)
      })
  })
}
