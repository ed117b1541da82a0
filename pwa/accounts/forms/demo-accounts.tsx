import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

export interface DemoAccount {
  readonly role: string
  readonly email: string
  readonly password: string
}

/** Answers 404 unless the server is in demo mode. */
const address = '/demo-accounts.json'

export function useDemoAccounts(): readonly DemoAccount[] {
  const [accounts, setAccounts] = useState<readonly DemoAccount[]>([])
  useEffect(() => {
    const leaving = new AbortController()
    fetch(address, { signal: leaving.signal, headers: { Accept: 'application/json' } })
      .then(async (response) => (response.ok ? readAccounts(await response.json()) : []))
      .then(setAccounts)
      .catch(() => undefined)
    return () => leaving.abort()
  }, [])
  return accounts
}

/** Anything malformed counts as none. A test needs it, too. */
export function readAccounts(answer: unknown): readonly DemoAccount[] {
  if (!Array.isArray(answer)) return []
  return answer.filter(
    (entry: unknown): entry is DemoAccount =>
      typeof entry === 'object' &&
      entry !== null &&
      ['role', 'email', 'password'].every((name) => typeof (entry as Record<string, unknown>)[name] === 'string'),
  )
}

export function DemoAccounts(props: { accounts: readonly DemoAccount[]; onChoose: (account: DemoAccount) => void }) {
  const { accounts, onChoose } = props
  if (accounts.length === 0) return null
  return (
    <Card tone="signal" padding="tight" title="Demo accounts">
      <p className="-mt-1 mb-3 text-sm">This is a demo with example data. Look around as one of these people:</p>
      <ul className="flex flex-col gap-3">
        {accounts.map((account) => (
          <li key={account.email} className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <p className="min-w-0 flex-[1_1_12rem] text-sm">
              <span className="block font-semibold">{account.role}</span>
              <span className="block break-all">{account.email}</span>
              <span className="block">
                Password <span className="font-semibold">{account.password}</span>
              </span>
            </p>
            <Button
              variant="secondary"
              onClick={() => onChoose(account)}
              aria-label={`Use the account of ${account.role}`}
            >
              Use
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
