import { useState } from 'react'
import type { PublicBeacon } from '#shared/applications/application-calls.ts'
import { wordFinder } from '#shared/text/matching.ts'
import { TextField } from '../ui/text-field.tsx'

/** Finds Beacons by what they can be asked about, their work, their post and their names. */
export function BeaconSearch({
  onSearch,
}: {
  onSearch: (matches: ((beacon: PublicBeacon) => boolean) | null) => void
}) {
  const [typed, setTyped] = useState('')
  function change(text: string) {
    setTyped(text)
    const isFound = wordFinder(text)
    onSearch(
      text.trim() === ''
        ? null
        : ({ firstName, lastName, company, jobTitle, topics, bio, post = null }) =>
            isFound(firstName, lastName, company, jobTitle, topics, bio, post),
    )
  }
  return (
    <div className="mb-4">
      <TextField
        label="Find a Beacon by topic, company or name"
        type="search"
        autoComplete="off"
        value={typed}
        onChange={({ target }) => change(target.value)}
      />
    </div>
  )
}
