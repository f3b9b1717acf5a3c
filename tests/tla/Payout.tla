------------------------------- MODULE Payout -------------------------------
(***************************************************************************)
(* One payout, from its request to its end: the ledger, the processes that *)
(* carry its instruction out, the provider of PIX, the messages between     *)
(* them, and the person who judges.                                         *)
(*                                                                         *)
(* Messages are lost, doubled and overtaken. Processes die between any two  *)
(* steps, and one that was believed dead may go on. The provider pays one   *)
(* key once, and a person's evidence is true: it is a statement of the      *)
(* provider that the key was paid, or is closed for ever.                   *)
(*                                                                         *)
(* An amount is two units, so that it can come back in two parts.           *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    Drivers,    \* The processes that carry instructions out.
    Crashes,    \* How many of them die at most.
    Planted     \* The mistake that is made, or "none".

VARIABLES
    state,      \* The payout in the ledger.
    handed,     \* The ledger noted that the instruction was handed out.
    early,      \* Reports that came while the payout was stopped.
    money,      \* Units by account.
    returned,   \* Units that came back and are booked as returned.
    holds,      \* Who has the instruction in hand.
    crashed,    \* How many died.
    provider,   \* The key at the provider: "none", "taken", "paid", "refused".
    pix,        \* How many PIX left for this payout.
    back,       \* Units that the beneficiary's bank sent back.
    reports     \* Messages under way; one that arrived may arrive again.

vars == <<state, handed, early, money, returned, holds, crashed, provider, pix, back, reports>>

World == <<holds, crashed, provider, pix, back>>

Amount == 2
Sum(m) == m.available + m.flight + m.sent + m.suspense
Move(from, to, units) == [money EXCEPT ![from] = @ - units, ![to] = @ + units]
Stands == state = "requested" \/ (handed /\ state \in {"submitted", "uncertain"})
Messages == {"submitted", "unknown", "paid", "refused", "part 1 back", "part 2 back"}

TypeOK ==
    /\ state \in {"absent", "requested", "review", "submitted", "uncertain", "failed",
                  "completed", "returned"}
    /\ handed \in BOOLEAN
    /\ early \subseteq {"submitted", "unknown"}
    /\ holds \subseteq Drivers
    /\ provider \in {"none", "taken", "paid", "refused"}
    /\ returned \in 0..Amount /\ back \in 0..Amount
    /\ reports \subseteq Messages

Init ==
    /\ state = "absent" /\ handed = FALSE /\ early = {} /\ returned = 0
    /\ money = [available |-> Amount, flight |-> 0, sent |-> 0, suspense |-> 0]
    /\ holds = {} /\ crashed = 0 /\ provider = "none" /\ pix = 0 /\ back = 0
    /\ reports = {}

-----------------------------------------------------------------------------
(* The ledger. *)

Request ==
    /\ state = "absent"
    /\ state' = "requested" /\ money' = Move("available", "flight", Amount)
    /\ UNCHANGED <<handed, early, returned, reports, World>>

\* Whoever carries the instruction out asks the ledger first, which notes it.
HandOut(d) ==
    /\ Stands /\ d \notin holds
    /\ holds' = holds \union {d}
    /\ handed' = (Planted # "hands out without a note")
    /\ UNCHANGED <<state, early, money, returned, crashed, provider, pix, back, reports>>

Submit ==
    \/ /\ state = "requested" /\ state' = "submitted" /\ UNCHANGED early
    \/ /\ state = "review" /\ early' = early \union {"submitted"} /\ UNCHANGED state

Lose ==
    \/ /\ state \in {"requested", "submitted"} /\ state' = "uncertain" /\ UNCHANGED early
    \/ /\ state = "review" /\ early' = early \union {"unknown"} /\ UNCHANGED state

\* What came back before it was known as paid waits in suspense, and is taken over.
Pay ==
    /\ state \in {"requested", "review", "submitted", "uncertain"}
    /\ LET waited == money.suspense IN
        /\ state' = IF waited = Amount THEN "returned" ELSE "completed"
        /\ returned' = waited
        /\ money' = [money EXCEPT !.flight = @ - Amount, !.sent = @ + Amount,
                                  !.suspense = 0, !.available = @ + waited]
    /\ handed' = FALSE /\ early' = {}

PayTooLate ==
    /\ state = "failed" /\ money.suspense = 0
    /\ money' = Move("suspense", "sent", Amount)
    /\ UNCHANGED <<state, handed, early, returned>>

Refuse ==
    /\ state \in {"requested", "review", "submitted", "uncertain"}
    /\ state' = "failed" /\ money' = Move("flight", "available", Amount)
    /\ handed' = FALSE /\ early' = {}
    /\ UNCHANGED returned

\* A return is booked once, by its id: the first part is one message, the second another.
Return(part) ==
    LET booked == returned + (IF money.suspense > 0 THEN money.suspense ELSE 0) IN
    /\ booked = part - 1
    /\ \/ /\ state = "completed"
          /\ returned' = returned + 1
          /\ money' = Move("sent", "available", 1)
          /\ state' = IF returned' = Amount THEN "returned" ELSE state
       \/ /\ state \in {"requested", "review", "submitted", "uncertain"}
          /\ money' = Move("sent", "suspense", 1)
          /\ UNCHANGED <<state, returned>>
    /\ UNCHANGED <<handed, early>>

Deliver(m) ==
    /\ m \in reports
    /\ CASE m = "submitted" -> Submit /\ UNCHANGED <<handed, money, returned>>
         [] m = "unknown" ->
                IF Planted = "takes a time-out for a refusal" THEN Refuse
                ELSE Lose /\ UNCHANGED <<handed, money, returned>>
         [] m = "paid" -> Pay \/ PayTooLate
         [] m = "refused" -> Refuse
         [] m = "part 1 back" -> Return(1)
         [] m = "part 2 back" -> Return(2)
    /\ UNCHANGED <<reports, World>>

-----------------------------------------------------------------------------
(* A person. *)

MayHaveLeft == handed \/ state \in {"submitted", "uncertain"}

\* Evidence is true of the world; whoever gives it has the provider close the key.
NotPaid == provider \in {"none", "refused"} /\ provider' = "refused"

Stop ==
    /\ state = "requested"
    /\ \/ (~MayHaveLeft \/ Planted = "stops what was handed out") /\ UNCHANGED provider
       \/ NotPaid
    /\ state' = "review" /\ handed' = FALSE
    /\ UNCHANGED <<early, money, returned, reports, holds, crashed, pix, back>>

Clear ==
    /\ state = "review"
    /\ state' = IF "unknown" \in early THEN "uncertain"
                ELSE IF "submitted" \in early THEN "submitted" ELSE "requested"
    /\ early' = {}
    /\ UNCHANGED <<handed, money, returned, reports, World>>

JudgeNotPaid ==
    /\ \/ ~MayHaveLeft /\ state \in {"requested", "review"} /\ UNCHANGED provider
       \/ NotPaid
    /\ Refuse
    /\ UNCHANGED <<reports, holds, crashed, pix, back>>

JudgePaid ==
    /\ provider = "paid" /\ Pay
    /\ UNCHANGED <<reports, World>>

-----------------------------------------------------------------------------
(* The world. *)

Answer(m) == \/ reports' = reports \union {m}
             \/ reports' = reports \union {"unknown"}
             \/ UNCHANGED reports

\* The key at the provider makes a second sending the first one again.
Send(d) ==
    /\ d \in holds /\ holds' = holds \ {d}
    /\ CASE provider = "none" ->
                \/ provider' = "taken" /\ Answer("submitted") /\ UNCHANGED pix
                \/ provider' = "refused" /\ Answer("refused") /\ UNCHANGED pix
         [] provider = "taken" -> Answer("submitted") /\ UNCHANGED <<provider, pix>>
         [] provider = "refused" -> Answer("refused") /\ UNCHANGED <<provider, pix>>
         [] provider = "paid" ->
                /\ pix' = IF Planted = "sends by a new key" /\ pix < 2 THEN pix + 1 ELSE pix
                /\ Answer("paid") /\ UNCHANGED provider
    /\ UNCHANGED <<state, handed, early, money, returned, crashed, back>>

\* Before it sends again it looks the key up. One that is not there proves nothing.
LookUp(d) ==
    /\ d \in holds
    /\ CASE provider = "paid" -> reports' = reports \union {"paid"} /\ holds' = holds \ {d}
         [] provider = "refused" -> reports' = reports \union {"refused"} /\ holds' = holds \ {d}
         [] provider = "taken" -> reports' = reports \union {"submitted"} /\ holds' = holds \ {d}
         [] provider = "none" ->
                /\ Planted = "takes what is not found for refused"
                /\ reports' = reports \union {"refused"} /\ holds' = holds \ {d}
    /\ UNCHANGED <<state, handed, early, money, returned, crashed, provider, pix, back>>

Crash(d) ==
    /\ d \in holds /\ crashed < Crashes
    /\ holds' = holds \ {d} /\ crashed' = crashed + 1
    /\ UNCHANGED <<state, handed, early, money, returned, provider, pix, back, reports>>

ProviderEnds ==
    /\ provider = "taken"
    /\ \/ provider' = "paid" /\ pix' = pix + 1 /\ reports' = reports \union {"paid"}
       \/ provider' = "refused" /\ reports' = reports \union {"refused"} /\ UNCHANGED pix
    /\ UNCHANGED <<state, handed, early, money, returned, holds, crashed, back>>

ComesBack ==
    /\ provider = "paid" /\ back < Amount
    /\ back' = back + 1
    /\ reports' = reports \union {IF back = 0 THEN "part 1 back" ELSE "part 2 back"}
    /\ UNCHANGED <<state, handed, early, money, returned, holds, crashed, provider, pix>>

Ledger == Request \/ (\E m \in Messages: Deliver(m))
Person == Stop \/ Clear \/ JudgeNotPaid \/ JudgePaid
Outside == ProviderEnds \/ ComesBack
    \/ \E d \in Drivers: HandOut(d) \/ Send(d) \/ LookUp(d) \/ Crash(d)

Next == Ledger \/ Person \/ Outside

\* Whoever is asked carries on, and a message that is under way arrives. Nobody has to judge.
Fairness ==
    /\ WF_vars(Request) /\ WF_vars(ProviderEnds) /\ WF_vars(Clear)
    /\ \A m \in Messages: SF_vars(Deliver(m))
    /\ \A d \in Drivers: WF_vars(HandOut(d)) /\ SF_vars(Send(d)) /\ SF_vars(LookUp(d))

Spec == Init /\ [][Next]_vars /\ Fairness

-----------------------------------------------------------------------------
(* What must hold. *)

\* No centavo appears or is lost.
Balanced == Sum(money) = Amount

\* One payout sends one PIX at most.
SentOnce == pix <= 1

\* Whoever has the money back was not paid, and never will be.
NeverBoth == state = "failed" => provider \notin {"taken", "paid"} /\ pix = 0

\* A payout that is stopped has not left.
StoppedStays == state = "review" => provider \notin {"taken", "paid"} /\ holds \subseteq
    (IF provider = "refused" THEN Drivers ELSE {})

\* The ledger says paid of what was paid alone.
PaidIsPaid == state \in {"completed", "returned"} => pix = 1

\* Each unit is where the state says.
InItsPlace ==
    /\ money.flight = (IF state \in {"requested", "review", "submitted", "uncertain"}
                       THEN Amount ELSE 0)
    /\ state \in {"completed", "returned"} => money.sent = Amount - returned

\* A payout that was requested ends, or waits for a person: one that is stopped, and one that was
\* cleared after evidence and of which an old report says that nobody knows.
Ends == state = "requested" ~>
    \/ state \in {"failed", "completed", "returned", "review"}
    \/ state = "uncertain" /\ ~handed
=============================================================================
