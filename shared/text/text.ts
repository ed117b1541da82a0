import * as z from 'zod'

/** A required line of text: trimmed, at least one character. */
export function requiredText(maximum: number) {
  return z
    .string({ error: 'Required' })
    .trim()
    .min(1, 'Required')
    .max(maximum, `Please keep this under ${maximum} characters`)
}

/** An optional text: trimmed; empty, missing and null all become null. */
export function optionalText(maximum: number) {
  return z
    .string()
    .trim()
    .max(maximum, `Please keep this under ${maximum} characters`)
    .nullish()
    .transform((value) => value || null)
}

/**
 * A web address as a person pastes it, stored as its normal form. Only http and https, no user name or
 * password, no backslash: `z.url()` alone would accept `javascript:`. Undefined when it is not one.
 */
function normalizeWebAddress(value: string): string | undefined {
  if (value.length > 2048 || value.includes('\\')) return undefined
  try {
    const url = new URL(value)
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
    if (url.username || url.password || !url.hostname.includes('.')) return undefined
    return url.href
  } catch {
    return undefined
  }
}

/** An optional web address; empty, missing and null become null. `accepts` narrows the hosts. */
export function optionalWebAddress(message: string, accepts: (hostname: string) => boolean = () => true) {
  return z
    .string()
    .trim()
    .nullish()
    .transform((value, context) => {
      if (!value) return null
      const href = normalizeWebAddress(value)
      if (href === undefined || !accepts(new URL(href).hostname)) {
        context.addIssue({ code: 'custom', message })
        return z.NEVER
      }
      return href
    })
}
