"""Links, anchors and the summary of the book, and the words of its parts."""

import re
from pathlib import Path

LINK = re.compile(r"(?<!\\)\]\(([^()\s]*(?:\([^()]*\)[^()\s]*)*)\)")


def prose(text):
    """Returns a page without its fenced blocks and inline code, line by line."""
    kept, fenced = [], False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
            kept.append("")
        else:
            kept.append("" if fenced else re.sub(r"`[^`]*`", "`", line))
    return kept


def anchors(text):
    """Returns the names by which GitHub and mdBook reach the headings of a page."""
    names, fenced = set(), False
    for line in text.splitlines():
        fenced ^= line.lstrip().startswith("```")
        heading = re.match(r"#{1,6} (.*)", line)
        if fenced or not heading:
            continue
        title = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1]).replace("`", "")
        name = re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")
        base, again = name, 0
        while name in names:
            again += 1
            name = f"{base}-{again}"
        names.add(name)
    return names


def listed(summary):
    """Returns each page of a summary with the title of the part that it stands in."""
    part, pages = None, []
    for line in summary.read_text().splitlines():
        title = re.match(r"# (.*)", line)
        page = re.match(r"\s*(?:- )?\[[^]]*\]\(([^)]+)\)", line)
        if title:
            part = title[1]
        elif page:
            pages.append((part, (summary.parent / page[1]).resolve()))
    return pages


def broken(page, text):
    """Returns a sentence for each link of a page that leads nowhere."""
    wrong = []
    for number, line in enumerate(prose(text), 1):
        for link in LINK.findall(line):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if path and not target.exists():
                wrong.append(f"line {number}: no file {link}")
            elif anchor and (not path or target.suffix == ".md"):
                there = target.read_text() if path else text
                if anchor not in anchors(there):
                    wrong.append(f"line {number}: no heading {link}")
    return wrong


def unlisted(summary, folders):
    """Returns the pages of folders that a summary does not list, and those it lists twice."""
    pages = [page for _, page in listed(summary)]
    there = {path.resolve() for folder in folders for path in Path(folder).glob("*.md")}
    missing = there - set(pages) - {summary.resolve()}
    twice = {page for page in pages if pages.count(page) > 1}
    return [f"does not list {page.name}" for page in sorted(missing)] + [
        f"lists {page.name} twice" for page in sorted(twice)
    ]


def words(text):
    return len(text.split())
