import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server of the run that is started when a test first asks for it: runs of a few files need none. */
export interface OnDemand {
  /** Where tests ask for it: `urlFrom(address)`. */
  readonly address: string
  stop(): Promise<void>
}

interface Running {
  readonly url: string
  stop(): Promise<void>
}

export const onDemand = async (start: () => Promise<Running>): Promise<OnDemand> => {
  let running: Promise<Running> | undefined
  const desk = createServer((_request, response) => {
    running ??= start()
    running.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await once(desk.listen(0, '127.0.0.1'), 'listening')
  return {
    address: `http://127.0.0.1:${(desk.address() as AddressInfo).port}`,
    stop: async () => {
      desk.close()
      await (await running)?.stop()
    },
  }
}

/** The URL of the server behind an address, once it runs. @throws with what it said where it does not start */
export const urlFrom = async (address: string): Promise<string> => {
  const reply = await fetch(address)
  const text = await reply.text()
  if (!reply.ok) throw new Error(text)
  return text
}
