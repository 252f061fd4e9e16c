//! The fields of real-estate tables, and the names of their columns: those of common property systems for residential,
//! commercial, student, senior and storage buildings, and the usual ones in German, French, Spanish, Italian and Dutch.
//!
//! Names are normalized: lower-case letters and digits only. `headers` contains rules for other names.

/// The meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    Building,
    Unit,
    UnitType,
    Bedrooms,
    Floor,
    Area,
    Tenant,
    TenantId,
    Status,
    Industry,
    MarketRent,
    /// Monthly, unless the header says otherwise.
    Rent,
    AnnualRent,
    /// Rent per square foot. The header may name the period.
    RentPerArea,
    ChargeCode,
    StartDate,
    EndDate,
    MoveIn,
    MoveOut,
    Deposit,
    Balance,
    TermMonths,
    RemainingMonths,
    RemainingYears,
    Account,
    AccountCode,
    Category,
    Amount,
    Total,
    Budget,
    Date,
    /// The number of a year, month or other period, counted from the start.
    Period,
    Price,
    PricePerArea,
    PricePerUnit,
    AdjustedPrice,
    AdjustedPerArea,
    Adjustment,
    CapRate,
    Units,
    YearBuilt,
    Loan,
    Lender,
    LoanAmount,
    LoanBalance,
    Rate,
    Maturity,
    Amortization,
    InterestOnly,
    DebtService,
    Dscr,
    Ltv,
    Value,
    Noi,
    Name,
    City,
    State,
}

/// The names of each field. If several fields list a name, the first one wins.
const NAMES: &[(Field, &str)] = &[
    (
        Field::Building,
        "property propertyname propertycode propertyid site building buildingid buildingname bldg \
         asset community buildingno centre center objekt liegenschaft gebäude immeuble bâtiment \
         batiment edificio immobile inmueble gebouw pand complex",
    ),
    (
        Field::Unit,
        "unit unitnumber unitno unitid unitref unitcode unitname apt aptno apartment suite suiteno \
         suitenumber suiteid space spaceno bldgunit bldgaptunit unitaddress premises bay door flat \
         lot stall room einheit wohnung mieteinheit bedspace bedid locker unitnum stalle wohneinheit \
         we nutzungseinheit lotno logement local unidad piso unità unita eenheid premisesno \
         tenancyref demise",
    ),
    (
        Field::UnitType,
        "unittype floorplan floorplancode bdba bedbath bedsbaths type unittypetype plan layout mix \
         style unitmix unitcategory unitdescription roomtype caretype levelofcare bedtype \
         sizecode unitsizecode nutzungsart nutzung objektart typologie tipo tipología",
    ),
    (
        Field::Bedrooms,
        "beds bed bedrooms br bdrms bedroom bd zimmer pièces pieces habitaciones camere kamers",
    ),
    (
        Field::Floor,
        "floor level story storey etage étage geschoss stockwerk planta piano verdieping",
    ),
    (
        Field::Area,
        "sqft sf unitsqft squarefeet squarefootage gla rsf nla nra area size sqfeet rentablesf \
         rentablearea rentablesqft rentablesquarefeet leasedsf leasedarea usf unitsf unitsize areasf \
         areasqft sizesf sizesqft buildingsf grosssf netsf gba nrsf footage leasablearea \
         grossleasablearea netrentablearea netleasablearea floorarea sqm sqmetres squaremetres \
         sqmeters m2 gia nia giasqm niasqm squaremeters fläche mietfläche wohnfläche nutzfläche \
         flächem² gesamtfläche mietflächem² mietflächeqm flächeqm qm surface surfacem² surfacem2 \
         superficie superficiem² superficiem2 metrosm2 oppervlakte oppervlaktem2 vvo bvo lfa",
    ),
    (
        Field::Tenant,
        "tenant tenantname resident residentname lessee occupant occupantname customer leaseholder \
         mieter mietername occupier occupiername renter letto leasedto company companyname tenants \
         residents household lesseename tenanttradename dba mietpartei mieterin locataire preneur \
         inquilino arrendatario conduttore locatario huurder huurdersnaam student studentname \
         residentsname licensee occupants demisedto",
    ),
    (
        Field::TenantId,
        "tenantid residentid tcode tenantcode residentcode leaseid customerid",
    ),
    (
        Field::Status,
        "status vermietungsstatus belegung vermietung unitstatus occupancystatus leasestatus \
         occupancy unitleasestatus occupied vacant occstatus lettingstatus letstatus letting \
         residentstatus unitoccupancy occvac vacantoccupied occupiedvacant occupancystate situation \
         estado stato bezetting leasingstatus contractstatus availability",
    ),
    (Field::Industry, "industry sector sic naics use businesstype"),
    (
        Field::MarketRent,
        "market marktmiete vergleichsmiete marketrent marketrents asking askingrent \
         computedmarketrent proformarent marketmo marketmonthly marketrate rentmarket grossmarketrent \
         streetrent listrent stdrent standardrent streetrate rackrate standardrate listprice \
         marketrentmo mktrent potentialrent erv estimatedrentalvalue askingmo marketpcm vpv \
         valeurlocative rentademercado canonedimercato markthuur askingrate pricelist webrate \
         onlinerate schedulerate scheduledmarketrent marketrentunit unitmarketrent",
    ),
    (
        Field::Rent,
        "rent rents actualrent leaserent contractrent monthlyrent monthly unittypeactualrent \
         inplacerent currentrent baserent monthlybaserent effectiverent rentmo rentpermonth \
         rentmonthly mthrent rentamount actual contract leasecharges scheduledcharges scheduledrent \
         miete monatsmiete kaltmiete nettokaltmiete chargedrent passingrent passing paying pays \
         nowpaying currentlypaying payingnow contractual contractualrent monthrent mrent inplace \
         inplacemo inplacemonth leasedrent rentcharge baserentmo nettomiete nettomieteeur istmiete \
         sollmiete mietemonat monatlichemiete loyer loyermensuel loyerhc loyermensuelhc renta \
         rentamensual alquiler canone canonemensile affitto huur maandhuur kalehuur \
         carerent tenantrate contractrate rentalrate rentalcharge currentrate \
",
    ),
    (
        Field::AnnualRent,
        "annualrent annualbaserent yearlyrent rentyr rentannual rentperyear annualizedrent abr \
         jahresmiete jahreskaltmiete rentpa annualizedbaserent passingrentpa annual rentperannum \
         istmietepa jahresnettokaltmiete jahresnettomiete loyerannuel rentaanual canoneannuo jaarhuur \
         annualcontractrent yearrent",
    ),
    (
        Field::RentPerArea,
        "rentpsf rentsf rentpersf rentpersqft rentsqft psf baserentpsf rentrate psfyr sfyr \
         annualrentpsf annualrentsf psfrent",
    ),
    (
        Field::ChargeCode,
        "chargecode charge chargetype leasecharge transcode",
    ),
    (
        Field::StartDate,
        "leasefrom leasestart leasefromdate leasestartdate commencement commencementdate startdate \
         start mietbeginn vertragsbeginn leasebegin leasecommencement begin begindate from \
         leasebegindate rentcommencement starts startson leasecommences commences \
         commence commenced termstart tenancystart tenancystarts leasestarts rentstart \
         débutbail debutbail datedeffet inicio fechainicio decorrenza ingangsdatum mietvertragsbeginn \
         vertragsstart begindatum",
    ),
    (
        Field::EndDate,
        "leaseto leaseend leaseexpiration leasetodate leaseenddate expiration expirationdate enddate \
         end expiry expirydate leaseexpiry leaseexpirationdate expires leaseexp exp expdate lxd led \
         mietende vertragsende to termination terminationdate leasethrough throughdate leaseexpires \
         leaseexpirydate until leaseends leasetermination expireson leaseexpireson endson leaseendson \
         leaserunsto runsto termend tenancyends letuntil leaseduntil expire leaseexpire termexpires \
         termexpiry termexpiration finbail datedefin vencimiento fechafin scadenza \
         einddatum expiratie vertragsablauf laufzeitende mietvertragsende contractend contractenddate \
         leaseenddates leaseexpdate leaseexpirydt",
    ),
    (
        Field::MoveIn,
        "movein moveindate actualmovein movedin moveindt datein einzug einzugsdatum",
    ),
    (
        Field::MoveOut,
        "moveout moveoutdate actualmoveout movedout noticedate moveoutdt dateout auszug auszugsdatum",
    ),
    (
        Field::Deposit,
        "deposit residentdeposit securitydeposit depositheld otherdeposit deposits kaution dépôt \
         depot dépôtdegarantie fianza cauzione waarborgsom borg",
    ),
    (
        Field::Balance,
        "pastdue delinquency balancedue arbalance ar outstanding balanceowed amountowed owed arrears \
         pastduebalance totaldue totalowed delinquentbalance rückstand impayés \
         saldovencido openbalance netbalance",
    ),
    (
        Field::TermMonths,
        "term leaseterm termmonths leasetermmonths termmo termmos",
    ),
    (
        Field::RemainingMonths,
        "monthsleft monthsremaining remainingmonths remainingtermmonths remtermmonths remainingtermmo",
    ),
    (
        Field::RemainingYears,
        "yearsleft yearsremaining remainingyears remainingterm remainingtermyears termremaining \
         remtermyrs",
    ),
    (
        Field::Account,
        "account glaccount accountname description accountdescription lineitem item gl line accounts \
         particulars incomestatement incomeexpense lineitems ledgeraccount",
    ),
    (
        Field::AccountCode,
        "accountcode accountnumber glcode acct acctno accountno glaccountnumber accountid",
    ),
    (Field::Category, "category group section class accounttype"),
    (
        Field::Amount,
        "amount betrag zahlung saldo amt cashflow flow netcashflow cf cashflows flows netflow usd net \
         cash amountusd ncf netcash payment distribution leveredcashflow unleveredcashflow actuals t12 \
         ttm trailing12 amounts transaction netamount",
    ),
    (
        Field::Total,
        "total totals annualtotal 12monthtotal ytd twelvemonthtotal sum yeartotal fullyear",
    ),
    (Field::Budget, "budget budgeted budgetamount"),
    (
        Field::Date,
        "date day datum zahlungsdatum buchungsdatum valuta paymentdate cashflowdate valuedate \
         transactiondate postingdate when asof asofdate datepaid paidon receivedon settlement settled \
         settlementdate settledon dated flowdate month monthend closedate saledate closingdate \
         solddate datesold",
    ),
    (
        Field::Period,
        "year period yr t years n quarter periodno monthno index leaseyear rentyear holdyear yearno",
    ),
    (
        Field::Price,
        "price preis kaufpreis verkaufspreis saleprice salesprice soldprice purchaseprice sellingprice \
         closingprice consideration saleamount soldfor achievedprice priceachieved pricepaid \
         askingprice transactionprice",
    ),
    (
        Field::PricePerArea,
        "pricepsf pricesf pricepersf pricepersqft ppsf salepricesf salepricepsf priceperfoot",
    ),
    (
        Field::PricePerUnit,
        "priceperunit priceunit pricedoor priceperdoor pricekey",
    ),
    (Field::AdjustedPrice, "adjustedprice adjprice adjustedsaleprice"),
    (
        Field::AdjustedPerArea,
        "adjustedpsf adjpsf adjustedpricepsf adjustedpricesf adjpricesf",
    ),
    (
        Field::Adjustment,
        "adjustment anpassung adj adjustmentpct adjpct netadjustment netadj totaladjustment totaladj \
         adjustments netadjustmentpct adjustmentpercent",
    ),
    (Field::CapRate, "caprate cap goingincap goingincaprate"),
    (
        Field::Units,
        "units unitcount numberofunits numberofunitstotal nounits ofunits doors totalunits keys unitscount \
         countofunits anzahleinheiten anzahlwohnungen anzahlwe nombredelots",
    ),
    (Field::YearBuilt, "yearbuilt built vintage yrbuilt"),
    (
        Field::Loan,
        "loan loanid loanname loanno loannumber note facility tranche",
    ),
    (Field::Lender, "lender bank lendername holder servicer"),
    (
        Field::LoanAmount,
        "loanamount originalbalance originalamount originalprincipal originalloan commitment \
         origbalance",
    ),
    (
        Field::LoanBalance,
        "balance loanbalance currentbalance outstandingbalance upb principalbalance unpaidbalance \
         principal outstandingprincipal currbal unpaidprincipalbalance endingbalance \
         balanceoutstanding",
    ),
    (
        Field::Rate,
        "rate interestrate coupon noterate couponrate annualrate interest loanrate fixedrate \
         allinrate",
    ),
    (
        Field::Maturity,
        "maturity maturitydate loanmaturity matures balloondate duedate maturitydt",
    ),
    (
        Field::Amortization,
        "amortization amort amortyears amortizationyears amortizationterm amortmonths \
         amortizationmonths am",
    ),
    (Field::InterestOnly, "io iomonths interestonly ioperiod"),
    (
        Field::DebtService,
        "debtservice annualdebtservice ads ds annualds annualpayment",
    ),
    (Field::Dscr, "dscr dcr coverage"),
    (Field::Ltv, "ltv loantovalue"),
    (
        Field::Value,
        "value appraisedvalue appraisal marketvalue propertyvalue valuation assetvalue",
    ),
    (Field::Noi, "noi netoperatingincome uwnoi t12noi"),
    (
        Field::Name,
        "name comp comparable address saleno compno sale deal comps subject id compid",
    ),
    (Field::City, "city metro town"),
    (Field::State, "state st"),
];

/// All names of a field.
pub fn names(field: Field) -> impl Iterator<Item = &'static str> {
    let listed = NAMES.iter().find(|(own, _)| *own == field);
    listed.into_iter().flat_map(|(_, names)| names.split(' '))
}

/// Names of columns of numbers of things, as unit mixes of offering memoranda and of German, French, Spanish, Italian
/// and Dutch rent lists have them. Only next to types of units do they count units.
const COUNTS: &str =
    "count counts anzahl stück stückzahl nombre nb nbre cantidad número quantità numero aantal qty quantity";

/// Whether a name says how many.
#[must_use]
pub(crate) fn is_count(name: &str) -> bool {
    COUNTS.split(' ').any(|own| own == name)
}

/// Names of price lists. Next to a market rent, the rents of a list are others.
const LISTS: &[&str] = &["std", "standard", "list", "street", "rack", "web", "online"];

/// Names that are longer than this one say more than "rent".
const MEANINGFUL: usize = 6;
/// Headers that only contain a name come behind those that are one.
const PARTLY: usize = 1_000;

/// How usual a header is for its field: the smaller, the more.
#[must_use]
pub fn rank(field: Field, name: &str) -> usize {
    let of_list = LISTS.iter().any(|word| name.starts_with(word));
    let listed = names(field).position(|own| own == name);
    let partly = || names(field).position(|own| own.len() > MEANINGFUL && name.contains(own));
    match listed.or_else(|| Some(PARTLY + partly()?)) {
        Some(rank) if !of_list => rank,
        None if !of_list => usize::MAX - 1,
        _ => usize::MAX,
    }
}

/// The field with this name.
#[must_use]
pub fn listed(name: &str) -> Option<Field> {
    NAMES
        .iter()
        .find(|(_, names)| names.split(' ').any(|own| own == name))
        .map(|(field, _)| *field)
}
