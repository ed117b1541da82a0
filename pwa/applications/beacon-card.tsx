import { ExternalLink } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import type { PublicBeacon } from '#shared/applications/application-calls.ts'
import { paths } from '../paths.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { initialsOf } from '../ui/initials.ts'

/** Writes 'Product Lead at Northwind', or the half that is known. */
function jobAtCompany(person: Pick<PublicBeacon, 'jobTitle' | 'company'>): string | null {
  if (person.jobTitle && person.company) return `${person.jobTitle} at ${person.company}`
  return person.jobTitle ?? person.company
}

export function BeaconCard({ beacon }: { beacon: PublicBeacon }) {
  const name = `${beacon.firstName} ${beacon.lastName}`
  const job = jobAtCompany(beacon)
  return (
    <Card padding="tight">
      <div className="flex items-center gap-3">
        <Avatar
          initials={initialsOf([beacon.firstName, beacon.lastName])}
          face={beacon.faceHash && paths.facePicture(beacon.id, beacon.faceHash)}
          tone="lamp"
        />
        <div className="min-w-0 flex-1">
          <h3 className="text-lg">{name}</h3>
          {job && <p className="text-sm text-muted">{job}</p>}
        </div>
      </div>
      {beacon.post && <p className="mt-2 text-sm font-medium">Find me at: {beacon.post}</p>}
      {beacon.topics && <p className="mt-2 text-sm">Ask me about: {beacon.topics}</p>}
      {beacon.bio && (
        <ClampedText about={`about ${name}`} className="mt-3 text-sm">
          {beacon.bio}
        </ClampedText>
      )}
      {beacon.linkedinUrl && (
        <a
          href={beacon.linkedinUrl}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          aria-label={`${name} on LinkedIn (opens in a new tab)`}
          className="mt-2 inline-flex min-h-11 items-center gap-1.5 rounded-sm font-medium text-signal underline underline-offset-4"
        >
          LinkedIn
          <ExternalLink className="size-4" />
        </a>
      )}
    </Card>
  )
}

/** Is clamped on phones only. `about` completes the button's name for screen readers. */
function ClampedText({ children, about, className = '' }: { children: string; about: string; className?: string }) {
  const text = useRef<HTMLParagraphElement>(null)
  const [open, setOpen] = useState(false)
  const [overflows, setOverflows] = useState(false)
  useLayoutEffect(() => {
    const element = text.current
    if (!element || open) return
    const measure = () => setOverflows(element.scrollHeight > element.clientHeight + 1)
    measure()
    const watching = new ResizeObserver(measure)
    watching.observe(element)
    return () => watching.disconnect()
  }, [open])
  return (
    <>
      <p ref={text} className={`whitespace-pre-line ${open ? '' : 'line-clamp-5 sm:line-clamp-none'} ${className}`}>
        {children}
      </p>
      {(overflows || open) && (
        <Button
          variant="ghost"
          size="small"
          className="-ml-3 sm:hidden"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Show less' : 'Show more'}
          <span className="sr-only"> {about}</span>
        </Button>
      )}
    </>
  )
}
