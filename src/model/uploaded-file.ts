/** A file that an upload has put into the storage, as it stands in the payload of a hook. */
export interface UploadedFile {
  /** What the storage knows it by, and what the column keeps. */
  readonly key: string
  /** The name that the client gave to it: text to be shown, never a path. */
  readonly name: string
  /** Its media type, told from its content. */
  readonly type: string
  /** Bytes. */
  readonly size: number
}

const made = new WeakSet<object>()

/** Makes an uploaded file. A field takes no other: whatever a client sends that looks like one is none. */
export const uploadedFile = ({ key, name, type, size }: UploadedFile): UploadedFile => {
  const file = Object.freeze({ key, name, type, size })
  made.add(file)
  return file
}

/** Whether `uploadedFile` made it. */
export const isUploadedFile = (value: unknown): value is UploadedFile =>
  typeof value === 'object' && value !== null && made.has(value)
