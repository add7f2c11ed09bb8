/** A picture of 8 x 8 blue points. */
export const picture: Buffer<ArrayBuffer> = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAYAAADED76LAAAAEklEQVR42mNgYPj/Hz8eGQoAcXh/gRCGQ+EAAAAASUVORK5CYII=',
  'base64',
)

/** A form with texts, and with a file in its field `image`. */
export const formOf = (
  texts: Readonly<Record<string, string>>,
  image?: Blob | Buffer<ArrayBuffer>,
): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(texts)) form.set(name, value)
  if (image !== undefined) form.set('image', new Blob([image], { type: 'image/png' }), 'blue.png')
  return form
}
