// Says who is logged in, where the API has a login.

/** Scripts cannot read the cookies of the API. Without this note, each visit of the page would cause a 401. */
const NOTE = 'modelrest.session'

const LOGIN = '#operations-Auth-login'

const textOf = ({ email, username, id }) => String(email ?? username ?? id)

/**
 * @param place the element that says it
 * @param api has the base URL and the document, once they are known
 * @returns the plugin of the viewer, and what the page calls once the document is there and after each response
 */
export const sessionIn = (place, api) => {
  let token
  const has = (path) => api.document.paths?.[path] !== undefined
  const say = (text, link) => {
    place.hidden = false
    place.replaceChildren(text)
    if (link !== undefined) place.append(' ', link)
  }
  const loginLink = () => {
    const link = document.createElement('button')
    link.type = 'button'
    link.textContent = 'Log in'
    link.addEventListener('click', () => {
      const operation = document.querySelector(LOGIN)
      operation?.scrollIntoView({ behavior: 'smooth' })
      if (!operation?.classList.contains('is-open'))
        operation?.querySelector('.opblock-summary-control')?.click()
    })
    return link
  }
  const callerOf = async () => {
    if (token === undefined && localStorage.getItem(NOTE) === null) return undefined
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const response = await fetch(`${api.base}/auth/me`, { headers })
    if (response.ok) return response.json()
    localStorage.removeItem(NOTE)
    return undefined
  }
  const show = async () => {
    if (api.base === '' || !(has('/auth/me') && has('/auth/login'))) return
    const caller = await callerOf()
    if (caller === undefined) say('You are not logged in.', loginLink())
    else say(`Logged in as ${textOf(caller)}.`)
  }
  const onResponse = ({ url, ok }) => {
    const path = new URL(url, location.href).pathname
    const act = /\/auth\/(login|register|refresh|logout)$/.exec(path)?.[1]
    if (act === undefined || !ok) return
    if (act === 'logout') localStorage.removeItem(NOTE)
    else localStorage.setItem(NOTE, 'yes')
    show()
  }
  const plugin = () => ({
    statePlugins: {
      auth: {
        wrapActions: {
          authorize: (authorize) => (given) => {
            token =
              Object.values(given).find(({ schema }) => schema?.get?.('scheme') === 'bearer')?.value ?? token
            show()
            return authorize(given)
          },
          logout: (logout) => (names) => {
            token = undefined
            show()
            return logout(names)
          },
        },
      },
    },
  })
  return { plugin, show, onResponse }
}
