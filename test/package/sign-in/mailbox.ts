import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll } from 'vitest'

export interface Mail {
  /** The addresses of the envelope. */
  readonly to: readonly string[]
  readonly text: string
  /** What stands behind `#token=`. */
  readonly token: string
}

export interface Mailbox {
  /** The URL of the server. */
  readonly url: () => string
  /** All mails so far. */
  readonly mails: readonly Mail[]
  /** Waits until there is a mail more than there were when `act` began, and returns it. */
  next(act: () => Promise<unknown>): Promise<Mail>
}

const textOf = (raw: string): string => raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')

/** An SMTP server for the tests of a file. */
export const mailbox = (): Mailbox => {
  const mails: Mail[] = []
  let arrived = Promise.withResolvers<void>()
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, { envelope }, done) {
      let raw = ''
      stream.setEncoding('utf8').on('data', (text: string) => {
        raw += text
      })
      stream.on('end', () => {
        const text = textOf(raw)
        mails.push({
          to: envelope.rcptTo.map(({ address }) => address),
          text,
          token: /#token=([\w-]+)/.exec(text)?.[1] ?? '',
        })
        done()
        arrived.resolve()
        arrived = Promise.withResolvers<void>()
      })
    },
  })
  let url = ''
  beforeAll(async () => {
    const listening = server.listen(0, '127.0.0.1')
    await once(listening, 'listening')
    const address = listening.address()
    if (address === null || typeof address !== 'object') throw new Error('The mail server has no port.')
    url = `smtp://127.0.0.1:${address.port}`
  })
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return {
    url: () => url,
    mails,
    async next(act) {
      const { length } = mails
      await act()
      while (mails.length === length) await arrived.promise
      const mail = mails[length]
      if (mail === undefined) throw new Error('No mail has arrived.')
      return mail
    },
  }
}
