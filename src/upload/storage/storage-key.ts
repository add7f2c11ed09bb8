import { randomBytes } from 'node:crypto'
import { extensionOf } from './file-types.ts'

/** What a key is made from. */
export interface KeyParts {
  /** The model's name. */
  readonly model: string
  /** The field's name. */
  readonly field: string
  /** The media type that the content was found to have, never the one that a client claims. */
  readonly type: string
}

/** Lower case alone: a file system may not tell cases apart. No letters that look alike. */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** 26 letters of 5 bits each: nobody guesses one. */
const unguessable = (): string =>
  Array.from(randomBytes(26), (byte) => alphabet[byte % alphabet.length]).join('')

const segment = (name: string): string =>
  name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40) || 'x'

/** The folder of the keys of a field: `order-item/photo`. */
export const folderOf = ({ model, field }: Pick<KeyParts, 'model' | 'field'>): string =>
  `${segment(model)}/${segment(field)}`

/**
 * A new key: `order-item/photo/q4/q4c…7a.png`. Nobody can guess it and nothing in it is a client's. The folder of two
 * letters keeps those of a disk small.
 */
export const storageKey = ({ model, field, type }: KeyParts): string => {
  const name = unguessable()
  return `${folderOf({ model, field })}/${name.slice(0, 2)}/${name}.${extensionOf(type)}`
}

const made = /^[a-z\d-]{1,40}\/[a-z\d-]{1,40}\/([a-z2-7]{2})\/\1[a-z2-7]{24}\.[a-z\d]{2,5}$/

/** Whether `storageKey` made this key. Of other files a storage says nothing, so that nobody takes them for orphans. */
export const isMade = (key: string): boolean => made.test(key)

/** The folder of a key that `storageKey` made. `undefined`: it did not. */
export const folderOfKey = (key: string): string | undefined =>
  isMade(key) ? key.split('/').slice(0, 2).join('/') : undefined

/** What no file system takes as part of a name, or takes as something else: half a character, too. */
const neverInName = /[\p{Cc}\p{Cs}\\:*?"<>|]/u

/** The most bytes of a key, as S3 has it. */
const MOST_BYTES = 1024
const MOST_BYTES_OF_NAME = 255

/**
 * Whether a key may name a file at all: names with `/` between them, none of which begins with a dot. A column may hold
 * keys that another program wrote, so that more is allowed than what `storageKey` makes; nothing that leaves the storage.
 */
export const isSafeKey = (key: string): boolean =>
  Buffer.byteLength(key) <= MOST_BYTES &&
  key
    .split('/')
    .every(
      (name) =>
        name !== '' &&
        !name.startsWith('.') &&
        !/[. ]$/.test(name) &&
        !neverInName.test(name) &&
        Buffer.byteLength(name) <= MOST_BYTES_OF_NAME,
    )

/** @throws RangeError: a key to put something under is the server's own. */
export const assertSafeKey = (key: string): void => {
  if (!isSafeKey(key)) throw new RangeError(`No file can have the key ${JSON.stringify(key)}.`)
}
