/** How PostgreSQL tells a client that it shuts down. */
export const serverEnds: Buffer = ((): Buffer => {
  const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command', '']
  const text = Buffer.from(fields.map((field) => `${field}\0`).join(''))
  const length = Buffer.alloc(4)
  length.writeInt32BE(text.length + length.length)
  return Buffer.concat([Buffer.from('E'), length, text])
})()
