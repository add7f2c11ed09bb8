import { filled } from './random-paths.ts'

const boundary = 'b'

/** The `Content-Type` of the forms. */
export const formType: string = `multipart/form-data; boundary=${boundary}`

const png = '\u0089PNG\r\n\u001a\n\0\0\0\rIHDR'

/** The body of a form, each of its parts with its head. In Latin-1, so that a character is a byte. */
export const form = (parts: readonly string[]): Buffer =>
  Buffer.from(
    [...parts.map((part) => `--${boundary}\r\n${part}\r\n`), `--${boundary}--\r\n`].join(''),
    'latin1',
  )

export const part = (name: string, content: string, more = '', heads = ''): string =>
  `content-disposition: form-data; name="${name}"${more}\r\n${heads}\r\n${content}`

export const filePart = (name: string, bytes: number, fileName = 'a.png'): string =>
  part(name, filled(png, png.length) + filled('x', bytes - png.length), `; filename="${fileName}"`)

const times = (count: number, make: (index: number) => string): readonly string[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => make(index))

/** Forms that are dear to read, for a field of the model, a field for a file and a number of bytes. */
export const forms: Readonly<Record<string, (name: string, file: string, size: number) => Buffer>> = {
  'a long text': (name, _file, size) => form([part(name, filled('9', size))]),
  'a long text of halves': (name, _file, size) => form([part(name, filled('\u00c3', size))]),
  'deep JSON': (name, _file, size) => form([part(name, '['.repeat(size / 2) + ']'.repeat(size / 2))]),
  'many numbers': (name, _file, size) => form([part(name, `[${filled('1e308,', size)}1]`)]),
  'many texts': (_name, _file, size) => form(times(size / 60, (index) => part(`k${index}`, 'x'))),
  'one text again and again': (name, _file, size) => form(times(size / 60, () => part(name, 'x'))),
  'many files': (_name, file, size) => form(times(size / 80, () => filePart(file, 20))),
  'many empty files': (_name, file, size) =>
    form(times(size / 80, () => part(file, '', '; filename="a.png"'))),
  'a long name': (_name, _file, size) => form([part(filled('n', size), 'x')]),
  'a long file name': (_name, file, size) => form([filePart(file, 20, filled('n', size))]),
  'a file name of quotes': (_name, file, size) => form([filePart(file, 20, filled('\\"', size))]),
  'an encoded file name': (_name, file, size) =>
    form([part(file, png, `; filename*=UTF-8''${filled('%41', size)}`)]),
  'many parameters': (name, _file, size) => form([part(name, 'x', filled('; a=b', size))]),
  'many blanks': (name, _file, size) => form([part(name, 'x', `${filled(' ', size)};`)]),
  'a long line': (name, _file, size) => form([part(name, 'x', '', `x-a: ${filled('y', size)}\r\n`)]),
  'many lines': (name, _file, size) => form([part(name, 'x', '', filled('a: b\r\n', size))]),
  'a long type': (name, _file, size) =>
    form([part(name, 'x', '', `content-type: a/b${filled('; a=b', size)}\r\n`)]),
  'a large file': (_name, file, size) => form([filePart(file, size)]),
  'a file of boundaries': (_name, file, size) =>
    form([part(file, png + filled('\r\n--', size), '; filename="a.png"')]),
  'a file of almost boundaries': (_name, file, size) =>
    form([part(file, png + filled('\r\n--a\r', size), '; filename="a.png"')]),
  'nothing but boundaries': (_name, _file, size) => Buffer.from(filled(`--${boundary}\r\n`, size)),
  'nothing but dashes': (_name, _file, size) => Buffer.from(filled('-', size)),
  'no end': (name, _file, size) => Buffer.from(`--${boundary}\r\n${part(name, filled('x', size))}`, 'latin1'),
}
