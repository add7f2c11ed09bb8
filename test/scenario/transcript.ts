import { normalised } from './normalised.ts'

/** A request of the scenario. */
export interface Asked {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is. */
  readonly text?: string
  readonly form?: FormData
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Empty where the body is no JSON. */
  readonly json: Readonly<Record<string, unknown>>
}

/** What a service answered to the steps of the scenario, without what differs from run to run. */
export interface Transcript {
  /** Sends a request and writes its answer down. @param path below the base of the API, or a whole path */
  ask(path: string, asked?: Asked): Promise<Answer>
  /** From now on requests carry this header. */
  carry(name: string, value: string | undefined): void
  /** A step and its answer each. */
  readonly lines: readonly string[]
}

/** @param base the URL of the API */
export const transcriptOf = (base: string): Transcript => {
  const lines: string[] = []
  const carried = new Headers()
  const normal = normalised()
  return {
    lines,
    carry: (name, value) => (value === undefined ? carried.delete(name) : carried.set(name, value)),
    async ask(path, asked = {}) {
      const { method = 'GET' } = asked
      const reply = await fetch(/^(?:http:.)?\//.test(path) ? new URL(path, base) : `${base}/${path}`, {
        method,
        redirect: 'manual',
        headers: { ...Object.fromEntries(carried), ...typeOf(asked), ...asked.headers },
        ...bodyOf(asked),
      })
      const text = await reply.text()
      const isJson = /\bjson\b/.test(reply.headers.get('content-type') ?? '') && text !== ''
      const answer: Answer = {
        status: reply.status,
        headers: reply.headers,
        text,
        json: isJson ? JSON.parse(text) : {},
      }
      normal.learn(method, path, answer)
      lines.push(normal.line(method, path, answer))
      return answer
    },
  }
}

const typeOf = ({ body, text }: Asked): Record<string, string> =>
  body === undefined && text === undefined ? {} : { 'content-type': 'application/json' }

const bodyOf = ({ body, text, form }: Asked): { readonly body?: string | FormData } => {
  if (form !== undefined) return { body: form }
  if (text !== undefined) return { body: text }
  return body === undefined ? {} : { body: JSON.stringify(body) }
}
