import { useEffect, useState } from 'react'

/** Where a server says whom people may write to. */
const address = '/contact.json'

/** Whom to write to about this server; null where it names nobody, undefined while that is unknown. */
export type ContactAddress = string | null | undefined

/** Asks the server whom people may write to. Unknown without a network. */
export function useContactAddress(): ContactAddress {
  const [email, setEmail] = useState<ContactAddress>()
  useEffect(() => {
    const leaving = new AbortController()
    fetch(address, { signal: leaving.signal, headers: { Accept: 'application/json' } })
      .then(async (response) => (response.ok ? readContact(await response.json()) : undefined))
      .then(setEmail)
      .catch(() => undefined)
    return () => leaving.abort()
  }, [])
  return email
}

/** The address of an answer; undefined when it is not our server's. Exported for its test. */
export function readContact(answer: unknown): ContactAddress {
  if (typeof answer !== 'object' || answer === null || !('email' in answer)) return undefined
  const { email } = answer
  if (email === null) return null
  return typeof email === 'string' && /^[^\s<>@]+@[^\s<>@]+$/.test(email) ? email : undefined
}
