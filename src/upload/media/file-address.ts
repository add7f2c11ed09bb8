/** Where a file is found: by the record that holds it. */
export interface FileAddress {
  /** The path segment of the model. */
  readonly model: string
  /** The record's key as it stands in a path. */
  readonly id: string
  readonly field: string
  /** The last name of the storage's key. */
  readonly name: string
}

/** The last name of a storage's key. */
export const lastName = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

/** `products/7/photo/q4c…7a.png`. The model and the key are in the form of a path already. */
export const addressPath = ({ model, id, field, name }: FileAddress): string =>
  [model, id, encoded(field), encoded(name)].join('/')

/** Half a character, which another program may have written, has no code. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())
