import * as z from 'zod'
import { isVisible } from '../text/plain-text.ts'
import { clockTimePattern, isCalendarDate, isWallClock, zipCodePattern } from './record.ts'

/** Trims the text, which needs at least one character that can be seen. */
export function requiredText(maximum: number, message = 'Required') {
  return z
    .string({ error: message })
    .trim()
    .min(1, { error: message, abort: true })
    .max(maximum, `Please keep this under ${maximum} characters`)
    .refine(isVisible, message)
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
 * Admits http and https without credentials or backslash: `z.url()` would accept `javascript:`. A missing scheme
 * becomes https. Returns undefined for anything that is no web address.
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

/** Turns empty, missing and null into null. `accepts` narrows the hosts. */
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

const firstYear = 1900
const lastYear = 2999
const yearMessage = `Please choose a year between ${firstYear} and ${lastYear}`

/** Other years are slips of the finger, and the arithmetic of days ends with the year 9999. */
function isInOurYears(text: string): boolean {
  const year = Number(text.slice(0, 4))
  return year >= firstYear && year <= lastYear
}

/** The day stays a text like `2026-03-01`, because a Date would move it across time zones. */
export function calendarDate(message: string) {
  return z
    .string({ error: message })
    .min(1, message)
    .refine(isCalendarDate, { error: 'Please enter a valid date', abort: true })
    .refine(isInOurYears, yearMessage)
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

/**
 * `2026-12-10T23:59` on the clock of the place; empty and missing become null. An instant (ISO 8601 with offset) is
 * taken too: the reader who knows the place's zone turns it into the clock's time there.
 */
export const wallClock = z
  .string()
  .trim()
  .nullish()
  .transform((value) => value || null)
  .pipe(
    z
      .string()
      .refine((text) => isWallClock(text) || z.iso.datetime({ offset: true }).safeParse(text).success, {
        error: 'Please enter a valid date and time',
        abort: true,
      })
      .refine(isInOurYears, yearMessage)
      .nullable(),
  )
