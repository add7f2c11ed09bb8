/** How much a multipart body may hold. Sizes in bytes. */
export interface MultipartLimits {
  /** Of one file. */
  readonly fileBytes: number
  readonly files: number
  /** Of one text part, and of all text parts together. */
  readonly textBytes: number
  /** Text parts. */
  readonly fields: number
  /** Of the head of one part. */
  readonly headerBytes: number
  /** Lines in the head of one part. */
  readonly headerPairs: number
  /** Characters of a part's name, and of a file's. */
  readonly nameLength: number
  /** Of the whole body. */
  readonly totalBytes: number
}

/** How long a multipart body may take, in milliseconds. */
export interface MultipartTimes {
  /** Without a single byte. The time that the storage takes does not count. */
  readonly idle: number
  /** From the first byte that is asked for to the last. */
  readonly total: number
}

/** What a multipart body is held to. */
export interface MultipartBounds {
  readonly limits: MultipartLimits
  readonly times: MultipartTimes
}
