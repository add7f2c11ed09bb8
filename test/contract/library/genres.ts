/** The values of the books' genre, in every dialect. */
export const genres = ['novel', 'poetry', 'science'] as const
