/** Methods of http hooks; a `GET` sends no body. */
export const HTTP_METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH"] as const;

/** One of `HTTP_METHODS`. */
export type HttpMethod = typeof HTTP_METHODS[number];
