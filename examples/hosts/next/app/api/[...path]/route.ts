import { api } from '../../../api'

const { fetch } = api

export { fetch as DELETE, fetch as GET, fetch as PATCH, fetch as POST, fetch as PUT }
