import * as z from 'zod'

const inLabel = String.raw`[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}]`
const label = String.raw`[\p{L}\p{N}](?:${inLabel})?`
const word = "[\\p{L}\\p{M}\\p{N}!$&'*+/=^_`{|}~-]+"

/**
 * Admits what mailboxes are really called, in any script. Quotes, and what means something else in a `mailto:` link
 * (`?`, `#`, `%`), are left out although standards allow them.
 */
const pattern = new RegExp(String.raw`^(?=[^@]{1,64}@)${word}(?:\.${word})*@(?:${label}\.)+\p{L}${inLabel}$`, 'u')

const invalid = 'Please enter a valid email address'

/**
 * Trims and composes the address. An international domain is kept in its ASCII form, which is what browsers hand over
 * from a field of `type="email"`: one address is one, whichever way it was typed.
 */
export const emailAddress = z
  .string()
  .trim()
  .normalize('NFC')
  .max(254)
  .pipe(z.email({ pattern, error: invalid }))
  .transform((address, context) => {
    const at = address.indexOf('@')
    const domain = address.slice(at + 1)
    if (/^[\x21-\x7e]*$/.test(domain)) return address
    try {
      return address.slice(0, at + 1) + new URL(`http://${domain}`).hostname
    } catch {
      // The pattern admits letters that no domain has, and mixtures of scripts that none may have.
      context.addIssue({ code: 'custom', message: invalid })
      return z.NEVER
    }
  })

/** Turns a field that was left blank into null. */
export const emailAddressOrNull = z
  .string()
  .trim()
  .nullable()
  .transform((value) => value || null)
  .pipe(emailAddress.nullable())
