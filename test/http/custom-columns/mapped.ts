import { Buffer } from 'node:buffer'
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'

/** A decimal of a library: its JSON is its text. */
export class Money {
  readonly amount: string

  constructor(amount: string) {
    this.amount = amount
  }

  toString(): string {
    return this.amount
  }

  toJSON(): string {
    return this.amount
  }
}

/** A date-time of a library: nothing but its own methods tell the time. */
export class Moment {
  readonly at: Date

  constructor(at: Date) {
    this.at = at
  }

  toSql(): string {
    return this.at.toISOString()
  }

  toJSON(): string {
    return this.at.toISOString()
  }
}

const PREFIX = 'user_'

/** A prefixed id over a UUID, which refuses what has another form. */
export const prefixed = {
  fromDriver: (uuid: string): string => PREFIX + uuid.replaceAll('-', ''),
  toDriver: (id: string): string => {
    const [, ...parts] = /^user_(\w{8})(\w{4})(\w{4})(\w{4})(\w{12})$/.exec(id) ?? []
    if (parts.length === 0) throw new Error(`${id} is not an id of a user`)
    return parts.join('-')
  },
}

export const prefixedExample = `${PREFIX}3f2504e04f8941d39a0c0305e82c3301`

const key = createHash('sha256').update('test').digest()
let nonce = 0

/** Encrypted with another nonce each time. */
export const encrypted = {
  fromDriver: (stored: string): string => {
    const [iv = '', text = ''] = stored.split('.')
    const decipher = createDecipheriv('aes-256-ctr', key, Buffer.from(iv, 'hex'))
    return Buffer.concat([decipher.update(Buffer.from(text, 'hex')), decipher.final()]).toString()
  },
  toDriver: (text: string): string => {
    nonce += 1
    const iv = Buffer.alloc(16)
    iv.writeUInt32BE(nonce)
    const cipher = createCipheriv('aes-256-ctr', key, iv)
    const made = Buffer.concat([cipher.update(text), cipher.final()])
    return `${iv.toString('hex')}.${made.toString('hex')}`
  },
}

export const cents = {
  fromDriver: (stored: unknown): number => Number(stored) / 100,
  toDriver: (amount: number): number => Math.round(Number(amount) * 100),
}

export const lowered = {
  fromDriver: (text: string): string => text,
  toDriver: (text: string): string => text.toLowerCase(),
}

export const commaSeparated = {
  fromDriver: (text: string): string[] => (text === '' ? [] : text.split(',')),
  toDriver: (texts: string[]): string => texts.join(','),
}

/** Days as people write them, which have another order than the days. */
export const dotted = {
  fromDriver: (text: string): string => text.split('.').toReversed().join('-'),
  toDriver: (day: string): string => day.split('-').toReversed().join('.'),
}

/** Refuses JSON of another shape, as a schema does. */
export const shaped = {
  fromDriver: (raw: unknown): { theme: string } => {
    const value = (typeof raw === 'string' ? JSON.parse(raw) : raw) as { theme?: unknown }
    if (typeof value.theme !== 'string') throw new Error('no theme')
    return { theme: value.theme }
  },
  toDriver: (value: unknown): string => {
    if (typeof (value as { theme?: unknown }).theme !== 'string') throw new Error('no theme')
    return JSON.stringify(value)
  },
}

export const uuidBytes = {
  fromDriver: (bytes: Uint8Array): string => {
    const hex = Buffer.from(bytes).toString('hex')
    return [
      [0, 8],
      [8, 12],
      [12, 16],
      [16, 20],
      [20, 32],
    ]
      .map(([from, to]) => hex.slice(from, to))
      .join('-')
  },
  toDriver: (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex'),
}
