// The code that sends the request of an operation, in three languages.

const quoted = (text) => JSON.stringify(text)

/** As a word of a POSIX shell. */
const word = (text) => `'${text.replaceAll("'", "'\\''")}'`

/** What the code sends. The token stands in a variable, also if the page itself sends a cookie. */
const partsOf = (request, isProtected) => {
  const headers = Object.entries(request.get('headers')?.toJS() ?? {})
  const body = request.get('body')
  const isForm = headers.some(([, value]) => /^multipart/i.test(value))
  const fields = isForm ? Object.entries(body?.toJS?.() ?? {}) : []
  const text = body === undefined || body === null || isForm ? undefined : body
  return {
    method: request.get('method').toUpperCase(),
    url: new URL(request.get('url'), globalThis.location.href).href,
    headers: headers.filter(
      ([name]) => !(/^(accept|authorization)$/i.test(name) || (isForm && /^content-type$/i.test(name))),
    ),
    needsToken: isProtected(request) || headers.some(([name]) => /^authorization$/i.test(name)),
    fields: fields.map(([name, value]) => ({
      name,
      file: value instanceof File ? value.name : undefined,
      value,
    })),
    body: typeof text === 'string' || text === undefined ? text : JSON.stringify(text.toJS?.() ?? text),
  }
}

const curl = ({ method, url, headers, needsToken, fields, body }) =>
  [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${word(url)}`,
    ...(needsToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...headers.map(([name, value]) => `-H ${word(`${name}: ${value}`)}`),
    ...fields.map(
      ({ name, file, value }) => `-F ${word(`${name}=${file === undefined ? value : `@${file}`}`)}`,
    ),
    ...(body === undefined ? [] : [`-d ${word(body)}`]),
  ].join(' \\\n  ')

const javascript = ({ method, url, headers, needsToken, fields, body }) => {
  const sent = [
    ...(needsToken ? [`authorization: \`Bearer \${token}\``] : []),
    ...headers.map(([name, value]) => `${quoted(name.toLowerCase())}: ${quoted(value)}`),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: ${quoted(method)}`]),
    ...(sent.length === 0 ? [] : [`headers: { ${sent.join(', ')} }`]),
    ...(fields.length === 0 ? [] : ['body: form']),
    ...(body === undefined ? [] : [`body: ${quoted(body)}`]),
  ]
  return [
    ...(fields.length === 0 ? [] : ['const form = new FormData()']),
    ...fields.map(
      ({ name, file, value }) => `form.set(${quoted(name)}, ${file === undefined ? quoted(value) : 'file'})`,
    ),
    `const response = await fetch(${quoted(url)}${options.length === 0 ? '' : `, {\n  ${options.join(',\n  ')},\n}`})`,
    'console.log(response.status, await response.text())',
  ].join('\n')
}

const python = ({ method, url, headers, needsToken, fields, body }) => {
  const sent = [
    ...(needsToken ? ['"Authorization": f"Bearer {token}"'] : []),
    ...headers.map(([name, value]) => `${quoted(name)}: ${quoted(value)}`),
  ]
  const files = fields.map(({ name, file, value }) =>
    file === undefined
      ? `${quoted(name)}: (None, ${quoted(value)})`
      : `${quoted(name)}: open(${quoted(file)}, "rb")`,
  )
  const given = [
    quoted(url),
    ...(sent.length === 0 ? [] : [`headers={${sent.join(', ')}}`]),
    ...(files.length === 0 ? [] : [`files={${files.join(', ')}}`]),
    ...(body === undefined ? [] : [`data=${quoted(body)}.encode()`]),
  ]
  const call = `requests.${method.toLowerCase()}(\n    ${given.join(',\n    ')},\n)`
  return `import requests\n\nresponse = ${call}\nprint(response.status_code, response.text)`
}

/** The viewer's option `requestSnippets`. */
export const languages = {
  defaultExpanded: true,
  languages: ['curl', 'fetch', 'python'],
  generators: {
    curl: { title: 'curl', syntax: 'bash' },
    fetch: { title: 'fetch', syntax: 'javascript' },
    python: { title: 'Python', syntax: 'python' },
  },
}

/** @param isProtected whether the operation of a request needs a token */
export const codeSamples = (isProtected) => {
  const written = (write) => (request) => write(partsOf(request, isProtected))
  return () => ({
    fn: {
      requestSnippetGenerator_curl: written(curl),
      requestSnippetGenerator_fetch: written(javascript),
      requestSnippetGenerator_python: written(python),
    },
  })
}
