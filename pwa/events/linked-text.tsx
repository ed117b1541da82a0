import { linkPartsOf } from './link-parts.ts'

/** Shows what an organizer wrote, with its https addresses as links. */
export function LinkedText({ text }: { readonly text: string }) {
  return (
    <>
      {linkPartsOf(text).map((part) =>
        part.isLink ? (
          <a
            key={part.at}
            href={part.text}
            target="_blank"
            rel="nofollow ugc noopener"
            className="break-all underline underline-offset-4 hover:text-signal"
          >
            {part.text}
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        ) : (
          part.text
        ),
      )}
    </>
  )
}
