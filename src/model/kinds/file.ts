import { accepted, type KindRow, refused } from '../codec.ts'
import { isUploadedFile } from '../uploaded-file.ts'
import { always, same } from './row.ts'

const rowOf = (upload: 'file' | 'image', noun: string, shown: string): KindRow => {
  const expected = `${noun}, sent as a part of multipart/form-data`
  return Object.freeze<KindRow>({
    comparable: false,
    ordered: false,
    textual: false,
    noun,
    schema: () => ({
      type: 'string',
      format: 'uri-reference',
      description: 'Where the file is. A new one is sent as a part of multipart/form-data.',
    }),
    // A key is the server's to make: a client that could send one would get at files of others.
    read: (value) => (isUploadedFile(value) ? accepted(value.key) : refused('invalid_format', expected)),
    readText: () => refused('invalid_format', expected),
    write: same,
    shown,
    upload,
    writesAsIs: always,
  })
}

export const file: KindRow = rowOf('file', 'a file', '/media/documents/1/file/q4zk7a.pdf')

export const image: KindRow = rowOf('image', 'an image', '/media/products/1/image/q4zk7a.png')
