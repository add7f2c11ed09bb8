import { api } from '../../api'

export const GET = async (request: Request): Promise<Response> => {
  const { rest } = await api.started()
  const { caller } = await rest.context(request)
  return new Response(`Hello, ${caller?.id ?? 'anonymous'}`)
}
