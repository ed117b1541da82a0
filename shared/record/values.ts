import * as z from 'zod'
import { clockTimePattern, isCalendarDate, zipCodePattern } from './record.ts'

/** Trimmed, at least one character. */
export function requiredText(maximum: number) {
  return z
    .string({ error: 'Required' })
    .trim()
    .min(1, 'Required')
    .max(maximum, `Please keep this under ${maximum} characters`)
}

/** Trimmed; empty, missing and null become null. `complaint` may find more. */
export function optionalText(maximum: number, complaint: (text: string) => string | undefined = () => undefined) {
  return z
    .string()
    .trim()
    .max(maximum, `Please keep this under ${maximum} characters`)
    .superRefine((text, context) => {
      const message = complaint(text)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    })
    .nullish()
    .transform((value) => value || null)
}

/**
 * Only http and https, no credentials, no backslash: `z.url()` would accept `javascript:`. A missing scheme becomes
 * https. Undefined for no web address.
 */
function normalizeWebAddress(value: string): string | undefined {
  if (value.length > 2048 || value.includes('\\')) return undefined
  try {
    const url = new URL(/^[a-z]+:/i.test(value) ? value : `https://${value}`)
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
    if (url.username || url.password || !url.hostname.includes('.')) return undefined
    return url.href
  } catch {
    return undefined
  }
}

/** Empty, missing and null become null. `accepts` narrows the hosts. */
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

/** `2026-03-01`; never a Date, which would move it across time zones. */
export function calendarDate(message: string) {
  return z.string({ error: message }).min(1, message).refine(isCalendarDate, 'Please enter a valid date')
}

/** `18:30`; empty and missing become null. */
export const clockTime = z
  .string()
  .trim()
  .nullish()
  .transform((value) => value || null)
  .pipe(z.string().regex(clockTimePattern, 'Please enter a time like 18:30').nullable())

/** Five digits; empty and missing become null. */
export const zipCode = z
  .string()
  .trim()
  .max(5, 'A ZIP code has 5 digits')
  .nullish()
  .transform((value) => value || null)
  .pipe(z.string().regex(zipCodePattern, 'A ZIP code has 5 digits').nullable())

/** ISO 8601 with offset; empty and missing become null. */
export const instant = z.iso
  .datetime({ offset: true, error: 'Please enter a valid date and time' })
  .nullish()
  .transform((value) => value || null)
