// Asks for the token with which the document is loaded, where only the page is public. The token stays in the memory of the page.

/** Whether a request goes where the page comes from: no other server gets the token. */
const isOwn = (url) => new URL(url, location.href).origin === location.origin

const bearer = (token) => ({ authorization: `Bearer ${token}` })

const loads = async (url, token) => (await fetch(url, { headers: bearer(token) })).ok

const formIn = (place) => {
  const form = document.createElement('form')
  form.className = 'token'
  const label = document.createElement('label')
  label.textContent = 'Access token'
  const input = document.createElement('input')
  Object.assign(input, {
    type: 'password',
    name: 'token',
    required: true,
    autocomplete: 'off',
    spellcheck: false,
  })
  label.append(input)
  const button = document.createElement('button')
  button.textContent = 'Open'
  const note = document.createElement('p')
  note.setAttribute('role', 'status')
  form.append(label, button, note)
  place.replaceChildren(form)
  input.focus()
  return { form, input, note }
}

/** @param place of the form @param url of the document @returns a token that is accepted */
export const askedToken = (place, url) =>
  new Promise((resolve) => {
    const { form, input, note } = formIn(place)
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      const token = input.value.trim()
      try {
        if (await loads(url, token)) resolve(token)
        else note.textContent = 'The token was not accepted.'
      } catch {
        note.textContent = 'The API does not respond.'
      }
    })
  })

/** Sends the token with each request that has none of its own. */
export const withToken = (token) => (request) => {
  const names = Object.keys(request.headers ?? {}).map((name) => name.toLowerCase())
  if (isOwn(request.url) && !names.includes('authorization'))
    request.headers = { ...request.headers, ...bearer(token) }
  return request
}
