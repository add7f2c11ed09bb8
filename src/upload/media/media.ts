/** How replies say where files are. */
export interface Media {
  /** What stands before the address of a file: `/api/media/`. With a slash at its end. */
  readonly url: string
  /** Signs URLs that not everybody may read. Absent: there is no authentication, and none is signed. */
  readonly secret: string | undefined
  /** How long a signed URL holds at least. */
  readonly seconds: number
}
